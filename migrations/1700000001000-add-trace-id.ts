import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The W3C trace id of the request that submitted a job; null for jobs from before. */
export class AddTraceId1700000001000 implements MigrationInterface {
  readonly name = 'AddTraceId1700000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN trace_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN trace_id');
  }
}
