import type { JobDetails, SubmitJobInput } from '@gjm/client/index.js';

/** What every job has besides its params, as the form holds it: text, empty for the server's default. */
export interface JobSettings {
  name: string;
  labels: string;
  priority: string;
  timeoutSeconds: string;
  maxAttempts: string;
  device: '' | 'gpu' | 'cpu';
  tier: string;
}

export const noSettings: JobSettings = {
  name: '',
  labels: '',
  priority: '',
  timeoutSeconds: '',
  maxAttempts: '',
  device: '',
  tier: '',
};

/** Labels as one line: `team=vision, run=3`. */
const labelText = (labels: Record<string, unknown>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ');

/** What is known of an earlier job's settings. */
export const settingsOf = (job: JobDetails): JobSettings => ({
  ...noSettings,
  name: job.name,
  labels: labelText(job.labels),
  priority: job.priority === 50 ? '' : String(job.priority),
});

function labelsOf(text: string): Record<string, string> | null {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0
        ? ([pair, ''] as const)
        : ([pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const);
    });
  return pairs.length > 0 ? Object.fromEntries(pairs) : null;
}

/** Whole numbers only; anything else is sent as -1, which the server refuses at its field. */
function wholeOf(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : -1;
}

/** What to submit. What was left empty is left out, so that the copied code stays short. */
export function inputOf(kind: string, params: Record<string, unknown>, it: JobSettings): SubmitJobInput {
  const [priority, timeoutSeconds, maxAttempts] = [it.priority, it.timeoutSeconds, it.maxAttempts].map(
    wholeOf,
  );
  const labels = labelsOf(it.labels);
  return {
    kind,
    params,
    ...(it.name.trim() && { name: it.name.trim() }),
    ...(labels && { labels }),
    ...(priority !== undefined && { priority }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(it.device && { deviceSelector: { kind: it.device } }),
    ...(it.tier && { tier: it.tier }),
  };
}
