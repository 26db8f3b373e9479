import { newId } from "@ems/kit/id";
import { ownerTransaction, testDatabase } from "@ems/test-support";
import type { QueryRunner } from "typeorm";
import { afterAll, expect, inject, test } from "vitest";
import { RequireLanguages1763805000000 } from "./1763805000000-require-languages.ts";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());

test("applications of every organisation, stored before, get the language of their tag, else English", async () => {
  const migration = new RequireLanguages1763805000000();
  await ownerTransaction<QueryRunner>(database, (runner) => migration.down(runner));
  for (const [slug, language] of Object.entries({ a: null, b: "pt-BR", c: "DE", d: "zh-Hant-TW" })) {
    const orgId = newId();
    await database.sql(
      "INSERT INTO identity.organisation (id, name, created_at, modified_at) VALUES ($1, $1, now(), now())",
      [orgId],
    );
    await database.sql(
      `INSERT INTO identity.application (org_id, id, title, slug, description, context, language, type, environment,
         human_annotation_enabled, created_at, modified_at)
       VALUES ($1, $2, $3, $3, '', '', $4, 'CHATBOT', 'DEV', false, now(), now())`,
      [orgId, newId(), slug, language],
    );
  }
  await ownerTransaction<QueryRunner>(database, (runner) => migration.up(runner));
  const rows = await database.sql("SELECT language FROM identity.application ORDER BY slug");
  expect(rows.map((row) => row.language)).toEqual(["en", "pt", "de", "en"]);
});
