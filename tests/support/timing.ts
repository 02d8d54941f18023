/** Short leases, graces and ticks: what takes 15 s in production takes 2 s in tests, by the same code. */
export const fastTiming = {
  GJM_LEASE_MS: '1000',
  GJM_GRACE_MS: '500',
  GJM_TICK_MS: '100',
  GJM_DISPATCH_MS: '1500',
  GJM_LOGIN_FAILURES: '1000',
};
