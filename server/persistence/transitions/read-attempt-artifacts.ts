import type { Database, Statement } from '../database.js';

const statement: Statement = {
  name: 'read-attempt-artifacts',
  text: `
SELECT id, name, media_type AS "mediaType", bytes::float8 AS bytes, sha256, created_at AS "createdAt"
FROM artifacts WHERE attempt_id = $1 AND role = 'RESULT' ORDER BY id`,
};

export interface ResultArtifact {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  createdAt: Date;
}

/** The RESULT artifacts that an attempt has stored, in order of creation. */
export function readAttemptArtifacts(database: Database, attemptId: string): Promise<ResultArtifact[]> {
  return database.run<ResultArtifact & Record<string, unknown>>(statement, [attemptId]);
}
