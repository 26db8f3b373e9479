import type { MigrationInterface, QueryRunner } from "typeorm";

/** Lets a transaction read the keys of several digests, joined by commas. Recorded under its first name. */
export class ReadKeysByDigests1763780000000 implements MigrationInterface {
  readonly name = "PossessMany1763780000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER POLICY possession ON identity.api_key
        USING (encode(digest, 'hex') = ANY (string_to_array(current_setting('ems.api_key_digest', true), ',')))
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER POLICY possession ON identity.api_key
        USING (digest = decode(nullif(current_setting('ems.api_key_digest', true), ''), 'hex'))
    `);
  }
}
