import type { DataFolder } from './data-folder.js';
import type { StackEnvironment } from './environment.js';
import type { StackSecrets } from './secrets.js';

/** What every part of one starting stack needs. */
export interface StackContext {
  environment: StackEnvironment;
  folder: DataFolder;
  secrets: StackSecrets;
  /** Aborted when the stack is to stop before it is ready. */
  signal: AbortSignal;
  /** Tells the person one line about something unusual or slow. */
  say: (line: string) => void;
}
