import { ownerTransaction, testDatabase, testEvent } from "@ems/test-support";
import type { MigrationInterface, QueryRunner } from "typeorm";
import { afterAll, expect, inject, test } from "vitest";
import { binaryOutbox } from "./shared-migrations.ts";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());

const Migration = binaryOutbox("catalog") as new () => MigrationInterface;
const migration = new Migration();
const up = () => ownerTransaction<QueryRunner>(database, (runner) => migration.up(runner));
const down = () => ownerTransaction<QueryRunner>(database, (runner) => migration.down(runner));

const add = (columns: string, values: string, id = testEvent().id) =>
  database.sql(
    `INSERT INTO catalog.outbox (application_id, id, org_id, type, subject, occurred_at, ${columns})
     VALUES (gen_random_uuid(), $1, 'org', 'topic.created', 's', now(), ${values})`,
    [id],
  );
const payloads = async () =>
  (await database.sql("SELECT payload FROM catalog.outbox ORDER BY 1")).map(({ payload }) => payload);

test("rows of before stay, and a way back waits until the version before can publish what is left", async () => {
  await down();
  await add("payload", "'{}'");
  await up();
  // A process of the version before still writes JSON.
  await add("payload", "'{\"a\":1}'");
  await add("message, published_at", "'told', now()");
  await add("message", "'waits'");
  await expect(down()).rejects.toThrow("contains null values");
  await database.sql("UPDATE catalog.outbox SET published_at = now() WHERE message = 'waits'");
  await down();
  expect(await payloads()).toEqual(['{"a":1}', "{}"]);
  const [security] = await database.sql(
    "SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'catalog.outbox'::regclass",
  );
  expect(security).toEqual({ forced: true });
});
