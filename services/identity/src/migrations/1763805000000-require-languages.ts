import type { MigrationInterface, QueryRunner } from "typeorm";

/** Every application has one of nine languages; tags such as `en-GB` become their language. */
export class RequireLanguages1763805000000 implements MigrationInterface {
  readonly name = "RequireLanguages1763805000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Row-level security binds the owner too, who changes all organisations' rows here.
      ALTER TABLE identity.application NO FORCE ROW LEVEL SECURITY;
      UPDATE identity.application SET language = CASE
        WHEN lower(split_part(language, '-', 1)) IN ('da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'sv')
        THEN lower(split_part(language, '-', 1)) ELSE 'en' END;
      ALTER TABLE identity.application FORCE ROW LEVEL SECURITY;
      ALTER TABLE identity.application ALTER COLUMN language SET NOT NULL,
        ALTER COLUMN language SET DEFAULT 'en',
        ADD CONSTRAINT application_language_check
          CHECK (language IN ('da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'sv'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE identity.application DROP CONSTRAINT application_language_check, ALTER COLUMN language DROP NOT NULL,
        ALTER COLUMN language DROP DEFAULT;
    `);
  }
}
