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
  /** What else an earlier job wished of its device; the form keeps it as it is. */
  wishes: Record<string, unknown>;
}

export const noSettings: JobSettings = {
  name: '',
  labels: '',
  priority: '',
  timeoutSeconds: '',
  maxAttempts: '',
  device: '',
  tier: '',
  wishes: {},
};

/** Labels as one line: `team=vision, run=3`. */
const labelText = (labels: Record<string, unknown>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ');

/** What the server takes where nothing is said. */
const defaults = { priority: 50, timeoutSeconds: 86_400, maxAttempts: 3 };

/** An earlier job's settings; a default is left empty. */
export function settingsOf(job: JobDetails): JobSettings {
  const { kind, ...wishes } = job.deviceSelector;
  const said = (name: keyof typeof defaults) => (job[name] === defaults[name] ? '' : String(job[name]));
  return {
    name: job.name,
    labels: labelText(job.labels),
    priority: said('priority'),
    timeoutSeconds: said('timeoutSeconds'),
    maxAttempts: said('maxAttempts'),
    device: kind === 'gpu' || kind === 'cpu' ? kind : '',
    tier: job.requestedTier ?? '',
    wishes,
  };
}

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
  const selector = { ...(it.device && { kind: it.device }), ...it.wishes };
  return {
    kind,
    params,
    ...(it.name.trim() && { name: it.name.trim() }),
    ...(labels && { labels }),
    ...(priority !== undefined && { priority }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(Object.keys(selector).length > 0 && { deviceSelector: selector }),
    ...(it.tier && { tier: it.tier }),
  };
}
