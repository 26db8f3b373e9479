import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { testCall, testTenant } from "@ems/test-support";
import { DataSource } from "typeorm";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";
import { FindEndUsers1765010100000 } from "./1765010100000-find-end-users.ts";

const { client, database } = await experimentsHarness();
const ingest = client(IngestService);

const named = [{ "user.id": "ann" }, { userId: 7, user: "x" }, { user: { id: 'Zoë "q" \\ /\n\u0001 😀' } }];
const nameless = [{ user: { name: "n" } }, { userId: "" }, [{ user: "a" }], {}];
const users = () =>
  database.sql<{ user: string | null }>(
    `SELECT application_id, id, end_user AS "user", end_user_key FROM experiments.trace ORDER BY application_id, id`,
  );

test("stored traces get the users that ingestion gives, of each application, and others none", async () => {
  for (const tenant of [testTenant(), testTenant()]) {
    const events = [...named, ...nameless].map((json) => ({ type: "trace", metadata: fromJson(ValueSchema, json) }));
    await ingest.ingestEvents({ events }, testCall(tenant));
  }
  const ingested = await users();
  expect(ingested.filter(({ user }) => user !== null)).toHaveLength(2 * named.length);
  await database.sql("UPDATE experiments.trace SET end_user = NULL, end_user_key = NULL");

  const owner = await new DataSource({ type: "postgres", url: database.ownerUrl }).initialize();
  const migration = new FindEndUsers1765010100000();
  // Cut off and begun again, it does the same.
  await migration.up(owner.createQueryRunner());
  await migration.up(owner.createQueryRunner());
  await owner.destroy();
  expect(await users()).toEqual(ingested);
});
