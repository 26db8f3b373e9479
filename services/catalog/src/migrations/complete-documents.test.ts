import { newId } from "@ems/kit/id";
import { ownerTransaction, testDatabase } from "@ems/test-support";
import type { QueryRunner } from "typeorm";
import { afterAll, expect, inject, test } from "vitest";
import { CompleteDocuments1763807000000 } from "./1763807000000-complete-documents.ts";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());

test("documents of every application, stored before, get types, metadata and numbers of chunks", async () => {
  const migration = new CompleteDocuments1763807000000();
  await ownerTransaction<QueryRunner>(database, (runner) => migration.down(runner));
  for (const content of ["# One\n\nText.\n\n# Two\n\nText.", " "]) {
    await database.sql(
      `WITH made AS (
         INSERT INTO catalog.document (application_id, id, org_id, active_version, created_at, modified_at)
         VALUES ($1, $2, 'org', 1, now(), now()) RETURNING *
       )
       INSERT INTO catalog.document_version (application_id, id, org_id, document_id, version_number, title, content, status,
         language, original_sentences, size_bytes, created_at, modified_at)
       SELECT application_id, id, org_id, id, 1, 'Fees', $3, 'DRAFT', 'en', '{}', 100, now(), now() FROM made`,
      [newId(), newId(), content],
    );
  }
  await ownerTransaction<QueryRunner>(database, (runner) => migration.up(runner));
  const rows = await database.sql(
    `SELECT d.type, d.status, v.metadata, v.chunk_count FROM catalog.document d
     JOIN catalog.document_version v ON v.document_id = d.id ORDER BY v.chunk_count`,
  );
  const common = { type: "KNOWLEDGE", status: "ACTIVE", metadata: {} };
  expect(rows).toEqual([
    { ...common, chunk_count: 1 },
    { ...common, chunk_count: 2 },
  ]);
  const [security] = await database.sql(
    "SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'catalog.document_version'::regclass",
  );
  expect(security).toEqual({ forced: true });
});
