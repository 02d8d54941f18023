import type { SlotAddress } from '../../application/ports.js';
import type { Database, Statement } from '../database.js';

const statement: Statement = {
  name: 'slot-of-attempt',
  text: `SELECT device_id AS "deviceId", slot_index AS index FROM attempt_devices WHERE attempt_id = $1 AND place = 0`,
};

/** The slot an attempt was placed on, also after it has ended. */
export async function slotOfAttempt(database: Database, attemptId: string): Promise<SlotAddress | null> {
  const [row] = await database.run<SlotAddress & Record<string, unknown>>(statement, [attemptId]);
  return row ?? null;
}
