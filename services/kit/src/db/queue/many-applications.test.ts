import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { createLog } from "../../log.ts";
import { RelayDatabase } from "../relay-database.ts";
import { relayRole } from "../schema.ts";
import { defineQueue } from "./define-queue.ts";
import { firstApplication } from "./statements.ts";

const schema = { name: "catalog" };
const server = await testDatabase(inject("postgres"));
const relay = new RelayDatabase({
  schema,
  url: server.getRelayUrl(schema),
  poolMax: 1,
  log: createLog("test", "silent"),
});
afterAll(async () => {
  await relay.close();
  await server.drop();
});
const jobs = defineQueue({ name: "catalog.jobs", table: "catalog.job", columns: [], fairness: "applications" }).on(
  relay,
);

test("if there are more applications than a claim visits, each has its turn, starting at the cursor", async () => {
  await server.sql(`
    CREATE TABLE catalog.job (application_id uuid, id uuid, next_attempt_at timestamptz, leased_until timestamptz);
    GRANT SELECT, UPDATE ON catalog.job TO ${relayRole(schema)};
    INSERT INTO catalog.job SELECT gen_random_uuid(), gen_random_uuid(), now() - interval '1 s' FROM generate_series(1, 1005);
    CREATE INDEX ON catalog.job (application_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
  const claim = async (after: string) => {
    const claimed = await jobs.claim({ leaseMs: 60_000, rowsMax: 600, perApplicationMax: 1, after });
    return claimed.map(({ applicationId }) => applicationId);
  };
  const before = await claim(firstApplication);
  const last = before.toSorted().at(-1) ?? "";
  // Claimed jobs are leased, but still in the table.
  const after = await claim(last);
  expect(new Set([...before, ...after]).size).toBe(1_005);
  const [first] = await server.sql<{ id: string }>("SELECT min(application_id::text) AS id FROM catalog.job");
  await server.sql("UPDATE catalog.job SET leased_until = NULL WHERE application_id = $1", [first?.id]);
  expect(await claim(last)).toEqual([first?.id]);
});
