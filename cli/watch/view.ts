import type { ConnectionState, JobDetails, JobEvent } from '@gjm/client/index.js';

/** How a job that is followed is shown. The calls come in this order; `close` comes always. */
export interface JobView {
  /** The number after which events are wanted, given the job as it is at the start. */
  startAfter(job: JobDetails): number;
  begin(job: JobDetails): Promise<void>;
  event(event: JobEvent): Promise<void>;
  /** The job, read again. */
  refresh?(job: JobDetails): void;
  connection: (state: ConnectionState) => void;
  /** Lets go of the screen. Idempotent. */
  close(): void;
  /** The job as it ended. */
  end(job: JobDetails): Promise<void>;
}

/** Says on stderr when what is shown stops being current, and when it is again. */
export function tellConnection(note: (text: string) => void): (state: ConnectionState) => void {
  let isLost = false;
  return (state) => {
    if (state === 'reconnecting') note('The connection was lost: reconnecting …');
    else if (isLost) note('Connected again; nothing was missed.');
    isLost = state === 'reconnecting';
  };
}
