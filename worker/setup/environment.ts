/** Of a process that tries a set of packages before it is put in its place. */
export function trialEnvironment(packages: string, withGpu: boolean): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, GJM_PACKAGES_DIR: packages };
  // Whoever starts the set-up may have chosen a GPU; any one will do for the trial.
  if (withGpu) env['CUDA_VISIBLE_DEVICES'] = env['CUDA_VISIBLE_DEVICES']?.split(',')[0] || '0';
  return env;
}
