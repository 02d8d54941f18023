import type { JobDetailsFragment, SubmitJobInput } from './generated/graphql.js';

/** The submit that asks for the same once more, with every setting the job had. Its files must still be there. */
export const rerunInput = (job: JobDetailsFragment): SubmitJobInput => ({
  kind: job.kind,
  params: job.params,
  name: job.name,
  labels: job.labels,
  priority: job.priority,
  maxAttempts: job.maxAttempts,
  timeoutSeconds: job.timeoutSeconds,
  devices: job.deviceCount,
  ...(Object.keys(job.deviceSelector).length > 0 && { deviceSelector: job.deviceSelector }),
  ...(job.requestedTier !== null && { tier: job.requestedTier }),
});
