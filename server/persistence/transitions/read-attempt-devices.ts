import type { Database, Statement } from '../database.js';

/** The one whose queue brought it is the first: that is the order in which they were placed. */
const statement: Statement = {
  name: 'read-attempt-devices',
  text: `
SELECT d.uid FROM attempt_devices ad JOIN devices d ON d.id = ad.device_id WHERE ad.attempt_id = $1 ORDER BY ad.place`,
};

/** Uids of all devices that an attempt holds. */
export async function readAttemptDevices(database: Database, attemptId: string): Promise<string[]> {
  return (await database.run<{ uid: string }>(statement, [attemptId])).map(({ uid }) => uid);
}
