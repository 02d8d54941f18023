import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whom a sign-in link is for; null for one that opens the account of links, and for an invite. */
export class AddUserLinks1700000002000 implements MigrationInterface {
  readonly name = 'AddUserLinks1700000002000';

  async up(runner: QueryRunner): Promise<void> {
    // Databases made for some minutes of development have both already.
    await runner.query(
      'ALTER TABLE one_time_tokens ADD COLUMN IF NOT EXISTS user_id text COLLATE "C" REFERENCES users ON DELETE CASCADE',
    );
    await runner.query(
      'CREATE INDEX IF NOT EXISTS one_time_tokens_user_id_idx ON one_time_tokens (user_id) WHERE user_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE one_time_tokens DROP COLUMN user_id');
  }
}
