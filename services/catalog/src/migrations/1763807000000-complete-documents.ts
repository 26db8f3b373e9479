import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { chunksOf } from "../chunks.ts";

/** Versions of a batch: with the largest texts, a few hundred megabytes. */
const batchSize = 100;

/** Types, library status, uploads, quickstarts, tags and chunks of documents. */
export class CompleteDocuments1763807000000 implements MigrationInterface {
  readonly name = "CompleteDocuments1763807000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.document
        ADD COLUMN type text NOT NULL DEFAULT 'KNOWLEDGE',
        ADD COLUMN status text NOT NULL DEFAULT 'ACTIVE',
        ADD COLUMN is_verified boolean NOT NULL DEFAULT false,
        ADD COLUMN optimized boolean NOT NULL DEFAULT false,
        ADD COLUMN file_processing_id uuid,
        ADD COLUMN quickstart_id uuid,
        ADD CONSTRAINT document_type_check CHECK (type IN ('KNOWLEDGE', 'POLICY')),
        ADD CONSTRAINT document_status_check CHECK (status IN ('DRAFT', 'ACTIVE')),
        ADD CONSTRAINT document_quickstart_fkey FOREIGN KEY (application_id, quickstart_id)
          REFERENCES catalog.quickstart (application_id, id);
      CREATE INDEX document_file ON catalog.document (application_id, file_processing_id);

      CREATE TABLE catalog.document_tag (
        application_id uuid NOT NULL,
        document_id uuid NOT NULL,
        tag_id uuid NOT NULL,
        CONSTRAINT document_tag_pkey PRIMARY KEY (application_id, document_id, tag_id),
        CONSTRAINT document_tag_document_fkey FOREIGN KEY (application_id, document_id)
          REFERENCES catalog.document (application_id, id) ON DELETE CASCADE,
        CONSTRAINT document_tag_tag_fkey FOREIGN KEY (application_id, tag_id)
          REFERENCES catalog.tag (application_id, id)
      );
      CREATE INDEX document_tag_tag ON catalog.document_tag (application_id, tag_id);
      ${tenantPolicy("catalog.document_tag")}
      GRANT SELECT, INSERT, DELETE ON catalog.document_tag TO ems_catalog;

      ALTER TABLE catalog.document_version ADD COLUMN chunk_count integer NOT NULL DEFAULT 0;
      -- Row-level security binds the owner too, who changes all applications' rows here.
      ALTER TABLE catalog.document_version NO FORCE ROW LEVEL SECURITY;
      UPDATE catalog.document_version SET metadata = '{}' WHERE metadata IS NULL;
    `);
    await countChunks(runner);
    await runner.query(`
      ALTER TABLE catalog.document_version FORCE ROW LEVEL SECURITY;
      ALTER TABLE catalog.document_version ALTER COLUMN metadata SET NOT NULL, ALTER COLUMN chunk_count DROP DEFAULT;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.document_version DROP COLUMN chunk_count, ALTER COLUMN metadata DROP NOT NULL;
      DROP TABLE catalog.document_tag;
      ALTER TABLE catalog.document DROP COLUMN type, DROP COLUMN status, DROP COLUMN is_verified, DROP COLUMN optimized,
        DROP COLUMN file_processing_id, DROP COLUMN quickstart_id;
    `);
  }
}

async function countChunks(runner: QueryRunner): Promise<void> {
  for (;;) {
    const versions: { id: string; title: string; content: string }[] = await runner.query(
      "SELECT id, title, content FROM catalog.document_version WHERE chunk_count = 0 LIMIT $1",
      [batchSize],
    );
    if (versions.length === 0) return;
    const counts = versions.map((version) => chunksOf(version).length);
    await runner.query(
      `UPDATE catalog.document_version v SET chunk_count = counted.chunks
       FROM unnest($1::uuid[], $2::integer[]) AS counted (id, chunks) WHERE v.id = counted.id AND v.chunk_count = 0`,
      [versions.map(({ id }) => id), counts],
    );
  }
}
