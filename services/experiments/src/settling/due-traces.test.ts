import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase, testTenant } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { experimentsSchema } from "../schema.ts";
import { claimTraces, settlingLag } from "./due-traces.ts";

const database = await testDatabase(inject("postgres"));
const url = database.relayUrlOf(experimentsSchema);
const log = createLog("experiments", "silent");
const relay = new RelayDatabase({ schema: experimentsSchema, url, poolMax: 2, log });
afterAll(async () => {
  await relay.close();
  await database.drop();
});

const settle = async (count: number, dueAgo: string) => {
  const { applicationId, orgId } = testTenant();
  await database.sql(
    `INSERT INTO experiments.trace_settling (application_id, trace_id, org_id, has_root, due_at)
     SELECT $1, id, $2, true, now() - $3::interval FROM unnest($4::uuid[]) id`,
    [applicationId, orgId, dueAgo, Array.from({ length: count }, newId)],
  );
  return applicationId;
};

test("an application whose many traces are due longer does not keep others waiting, and each is claimed once", async () => {
  const many = await settle(350, "1 hour");
  const few = await settle(2, "1 second");
  const early = await settle(3, "-1 hour");
  expect(await settlingLag(relay)).toBeGreaterThanOrEqual(3_600);
  const claims = [];
  for (let claimed = await claimTraces(relay); claimed.length > 0; claimed = await claimTraces(relay))
    claims.push(claimed);
  const counts = claims.map((claim) => new Map(claim.map((due) => [due[0]?.applicationId, due.length])));
  expect(counts[0]).toEqual(
    new Map([
      [many, 98],
      [few, 2],
    ]),
  );
  expect(counts.map((count) => count.get(many))).toEqual([98, 100, 100, 52]);
  expect(counts.some((count) => count.has(early))).toBe(false);
  expect(new Set(claims.flat(2).map(({ traceId }) => traceId)).size).toBe(352);
});
