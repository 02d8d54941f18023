import { z } from 'zod';
import type { Viewer } from '@gjm/core/access/policy.js';
import { readFields } from '@gjm/core/field-problems.js';
import { parseId } from '@gjm/core/ids.js';
import { invalid, notFoundProblem, success, type Result } from '@gjm/core/problem.js';
import { cleanText } from '@gjm/core/text/clean.js';
import type { Database } from '../persistence/database.js';
import { storeDrain, type Drain } from '../persistence/transitions/drain.js';
import { adminOnly } from './accounts/admin-only.js';
import type { WakeUps } from './wake-ups.js';

const inputSchema = z.object({
  id: z.string().max(128),
  forSeconds: z
    .number()
    .int()
    .min(1)
    .max(365 * 86_400)
    .nullish()
    .transform((seconds) => seconds ?? null),
  reason: z
    .string()
    .max(200)
    .nullish()
    .transform((reason) => (reason == null ? null : cleanText(reason, 200))),
});

/** Ids of the devices that it concerns. */
export type DrainResult = Result<string[]>;

export interface Drains {
  /** For an ADMIN. What runs there goes on to its end; nothing new is placed there. Again: the new time and reason hold. */
  drain(viewer: Viewer, input: unknown): Promise<DrainResult>;
  /** For an ADMIN. It takes jobs again. */
  undrain(viewer: Viewer, id: string): Promise<DrainResult>;
}

/** Takes devices and workers out of service and back, by the id of either. */
export function createDrains(database: Database, wakeUps: WakeUps): Drains {
  const store = async (id: string, drain: Drain): Promise<DrainResult> => {
    const device = parseId('device', id);
    const known = device ?? parseId('worker', id);
    const devices = known && (await storeDrain(database, device ? 'device' : 'worker', known, drain));
    if (!devices) return notFoundProblem('device');
    wakeUps.devicesChanged(devices);
    if (!drain.isDrained) wakeUps.placeable();
    return success(devices);
  };
  return {
    async drain(viewer, input) {
      if (viewer.role !== 'ADMIN') return adminOnly;
      const read = readFields(inputSchema, input);
      if (!read.ok) return invalid(read.fields);
      const { id, forSeconds, reason } = read.value;
      return store(id, { isDrained: true, seconds: forSeconds, reason });
    },
    async undrain(viewer, id) {
      if (viewer.role !== 'ADMIN') return adminOnly;
      return store(id, { isDrained: false, seconds: null, reason: null });
    },
  };
}
