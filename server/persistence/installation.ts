import { randomBytes } from 'node:crypto';
import type { Database, Statement } from './database.js';

/** What is true of one installation, whichever server looks. */
export interface Installation {
  /** Random, made once; names the Redis keys and marks the artifact store. */
  id: string;
  /** Whether an artifact store was ever bound to it. */
  hasArtifacts: boolean;
}

const makeRow: Statement = {
  name: 'make-installation',
  text: `INSERT INTO installation (id) VALUES ($1) ON CONFLICT (one) DO NOTHING`,
};
const readRow: Statement = {
  name: 'read-installation',
  text: `SELECT id, artifact_marker IS NOT NULL AS has_artifacts FROM installation`,
};
const bindStore: Statement = {
  name: 'bind-artifact-store',
  text: `UPDATE installation SET artifact_marker = id WHERE artifact_marker IS NULL`,
};

/** Reads the one row, made by the first server that looks. */
export async function openInstallation(database: Database): Promise<Installation> {
  await database.run(makeRow, [randomBytes(8).toString('hex')]);
  const [row] = await database.run<{ id: string; has_artifacts: boolean }>(readRow, []);
  if (!row) throw new Error('There is no installation row.');
  return { id: row.id, hasArtifacts: row.has_artifacts };
}

/** Notes that the artifact store carries the marker. */
export async function noteArtifactStore(database: Database): Promise<void> {
  await database.run(bindStore, []);
}
