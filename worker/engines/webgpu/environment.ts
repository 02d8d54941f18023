/** Of the adapters that Dawn lists, the name of the one that the supervisor gave this process; null when it gave none. */
export const pinnedAdapter = (): string | null => process.env['GJM_RUNNER_ADAPTER'] || null;

/** Whether an adapter that only computes on the CPU may be used. */
export const mayUseSoftware = (): boolean => process.env['GJM_RUNNER_ALLOW_SOFTWARE_GPU'] === '1';
