import type { MigrationInterface, QueryRunner } from "typeorm";

/** Keys may have scopes and an end; those from before may do everything and do not expire. */
export class ScopeKeys1765000600000 implements MigrationInterface {
  readonly name = "ScopeKeys1765000600000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.api_key
        ADD COLUMN scopes text[] NOT NULL DEFAULT '{}',
        ADD COLUMN expires_at timestamptz(3)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    // A key with scopes may not do everything all at once.
    await runner.query(`
      DELETE FROM identity.api_key WHERE scopes <> '{}' OR expires_at IS NOT NULL;
      ALTER TABLE identity.api_key DROP COLUMN scopes, DROP COLUMN expires_at
    `);
  }
}
