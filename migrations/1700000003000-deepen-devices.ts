import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Devices say what they run, why engines are missing and what they are doing; an admin may drain them; attempts keep what they took and
 * how they were contained; what a kind was seen to need is remembered.
 */
const up = `
ALTER TABLE workers ADD drained_at timestamptz(3), ADD drained_until timestamptz(3), ADD drain_reason text;
ALTER TABLE devices ADD drained_at timestamptz(3), ADD drained_until timestamptz(3), ADD drain_reason text,
  ADD runs jsonb, ADD engine_audit jsonb NOT NULL DEFAULT '[]', ADD telemetry jsonb, ADD benchmark jsonb;
ALTER TABLE attempts ADD engine_audit jsonb NOT NULL DEFAULT '[]', ADD usage jsonb, ADD containment text;
ALTER TABLE attempt_devices ADD place smallint NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD device_count smallint NOT NULL DEFAULT 1;

-- The most device memory that attempts of a kind were seen to take, by tier ('' = none) and engine.
CREATE TABLE learned_needs (
  kind text NOT NULL,
  tier text NOT NULL,
  engine text NOT NULL,
  peak_bytes bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, tier, engine)
);
`;

export class DeepenDevices1700000003000 implements MigrationInterface {
  readonly name = 'DeepenDevices1700000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE learned_needs;
      ALTER TABLE jobs DROP device_count;
      ALTER TABLE attempt_devices DROP place;
      ALTER TABLE attempts DROP containment, DROP usage, DROP engine_audit;
      ALTER TABLE devices DROP benchmark, DROP telemetry, DROP engine_audit, DROP runs, DROP drain_reason, DROP drained_until,
        DROP drained_at;
      ALTER TABLE workers DROP drain_reason, DROP drained_until, DROP drained_at;
    `);
  }
}
