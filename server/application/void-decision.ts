import type { NewEvent } from '@gjm/core/wire/events.js';
import { newId } from './new-id.js';

/** The ledger's line for a placement that came to nothing while its job stays queued. */
export const voidDecision = (attempt: number, reason: string | null): NewEvent => ({
  type: 'decision',
  attempt,
  data: {
    id: newId('decision'),
    stage: 'executor',
    attempt,
    summary: `The placement came to nothing: ${reason ?? 'it was given up.'}`,
    policyVersion: null,
    data: { outcome: 'VOID' },
  },
});
