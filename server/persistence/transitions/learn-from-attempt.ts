import type { Database, Statement } from '../database.js';

const needStatement: Statement = {
  name: 'learn-need',
  text: `
INSERT INTO learned_needs (kind, tier, engine, peak_bytes)
SELECT j.kind, coalesce(a.tier, ''), a.engine, $2 FROM attempts a JOIN jobs j ON j.id = a.job_id WHERE a.id = $1
ON CONFLICT (kind, tier, engine) DO UPDATE SET peak_bytes = greatest(learned_needs.peak_bytes, excluded.peak_bytes),
  attempts = learned_needs.attempts + 1, updated_at = clock_timestamp()`,
};

/** Remembers the most device memory that attempts of this kind, tier and engine were seen to take, in bytes. */
export async function learnNeed(database: Database, attemptId: string, peakBytes: number): Promise<void> {
  await database.run(needStatement, [attemptId, peakBytes]);
}

const benchmarkStatement: Statement = {
  name: 'keep-benchmark',
  text: `
UPDATE devices SET benchmark = figures.by_name
FROM attempts a JOIN jobs j ON j.id = a.job_id JOIN attempt_devices ad ON ad.attempt_id = a.id
  CROSS JOIN LATERAL (SELECT jsonb_object_agg(e.data ->> 'name', e.data -> 'value') AS by_name FROM job_events e
    WHERE e.job_id = j.id AND e.attempt = a.number AND e.type = 'metric') AS figures
WHERE a.id = $1 AND devices.id = ad.device_id AND figures.by_name IS NOT NULL`,
};

/** The figures of a `device.benchmark` stay with the device that it ran on. */
export async function keepBenchmark(database: Database, attemptId: string): Promise<void> {
  await database.run(benchmarkStatement, [attemptId]);
}
