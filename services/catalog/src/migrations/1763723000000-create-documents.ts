import { tenantPolicy } from "@ems/kit/db/tenant-policy";
import type { MigrationInterface, QueryRunner } from "typeorm";

/** Documents and their versions. */
export class CreateDocuments1763723000000 implements MigrationInterface {
  readonly name = "CreateDocuments1763723000000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE catalog.document (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        topic_id uuid,
        assignee text,
        scrape_job_id text,
        active_version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT document_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT document_topic_fkey FOREIGN KEY (application_id, topic_id)
          REFERENCES catalog.topic (application_id, id)
      );
      CREATE INDEX document_created ON catalog.document (application_id, created_at, id);
      CREATE INDEX document_topic ON catalog.document (application_id, topic_id);

      CREATE TABLE catalog.document_version (
        application_id uuid NOT NULL,
        id uuid NOT NULL,
        org_id text NOT NULL,
        document_id uuid NOT NULL,
        version_number integer NOT NULL,
        title text NOT NULL,
        content text NOT NULL,
        status text NOT NULL,
        language text NOT NULL,
        metadata jsonb,
        original_sentences text[] NOT NULL,
        size_bytes integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_at timestamptz(3) NOT NULL,
        CONSTRAINT document_version_pkey PRIMARY KEY (application_id, id),
        CONSTRAINT document_version_number_key UNIQUE (application_id, document_id, version_number),
        CONSTRAINT document_version_number_check CHECK (version_number >= 1),
        CONSTRAINT document_version_status_check
          CHECK (status IN ('DRAFT', 'REVIEW', 'APPROVED', 'ARCHIVED', 'ACTIVE')),
        CONSTRAINT document_version_document_fkey FOREIGN KEY (application_id, document_id)
          REFERENCES catalog.document (application_id, id) ON DELETE CASCADE
      );

      -- Guarantees exactly one active version. Deferred: a document and its first version refer to each other.
      ALTER TABLE catalog.document ADD CONSTRAINT document_active_version_fkey
        FOREIGN KEY (application_id, id, active_version)
        REFERENCES catalog.document_version (application_id, document_id, version_number)
        DEFERRABLE INITIALLY DEFERRED;

      ${tenantPolicy("catalog.document")}
      ${tenantPolicy("catalog.document_version")}

      GRANT SELECT, INSERT, UPDATE, DELETE ON catalog.document TO ems_catalog;
      -- Versions are deleted by the document's cascade only.
      GRANT SELECT, INSERT, UPDATE ON catalog.document_version TO ems_catalog;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE catalog.document DROP CONSTRAINT document_active_version_fkey;
      DROP TABLE catalog.document_version, catalog.document;
    `);
  }
}
