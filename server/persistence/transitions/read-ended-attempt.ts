import type { Database, Statement } from '../database.js';

const statement: Statement = {
  name: 'read-ended-attempt',
  text: `
SELECT id FROM attempts
WHERE id = $1 AND token_hash = $2 AND state = 'ENDED' AND outcome IN ('SUCCEEDED', 'FAILED', 'CANCELLED', 'RELEASED')`,
};

/** Whether the holder of this token has already ended the attempt itself: then its finish was heard and only the answer was lost. */
export async function readEndedAttempt(
  database: Database,
  attemptId: string,
  tokenHash: string,
): Promise<boolean> {
  return (await database.run(statement, [attemptId, tokenHash])).length > 0;
}
