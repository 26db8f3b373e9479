import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase, testTenant } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { experimentsSchema } from "../../schema.ts";
import { type ClaimedWork, confirmWork, formatClaim, workQueue } from "./work.ts";

const database = await testDatabase(inject("postgres"));
const url = database.getRelayUrl(experimentsSchema);
const log = createLog("experiments", "silent");
const relay = new RelayDatabase({ schema: experimentsSchema, url, poolMax: 2, log });
afterAll(async () => {
  await relay.close();
  await database.drop();
});

const { applicationId, orgId } = testTenant();
const leaseMs = 60_000;

async function offer(state: "prompt" | "judge"): Promise<string> {
  const testId = newId();
  await database.sql(
    `INSERT INTO experiments.test_execution (application_id, test_id, org_id, run_id, created_at, state, due_at, definitions, evaluations)
     VALUES ($1, $2, $3, $4, now(), $5, now() - interval '1 second', '[]', '[]')`,
    [applicationId, testId, orgId, newId(), state],
  );
  return testId;
}

/** Makes the evaluations due, as a new offer or an expired lease does. */
const offerAgain = (testId: string) =>
  database.sql(
    "UPDATE experiments.test_execution SET due_at = now() - interval '1 second', attempt = attempt + 1 WHERE application_id = $1 AND test_id = $2",
    [applicationId, testId],
  );

async function claim(): Promise<ClaimedWork> {
  const claimed = await workQueue.on(relay).claim({ rowsMax: 10, leaseMs });
  expect(claimed).toHaveLength(1);
  return claimed[0] as ClaimedWork;
}

async function readState(testId: string) {
  const text = "SELECT state FROM experiments.test_execution WHERE application_id = $1 AND test_id = $2";
  return (await database.sql<{ state: string }>(text, [applicationId, testId]))[0]?.state;
}

test.each([
  ["prompt", "writing"],
  ["judge", "judging"],
] as const)("an old claim confirms no newer offer of a %s", async (state, confirmed) => {
  const testId = await offer(state);
  const old = await claim();
  await offerAgain(testId);
  await confirmWork(relay, [formatClaim(old)]);
  expect(await readState(testId)).toBe(state);
  const current = await claim();
  expect(current).toMatchObject({ testId, state, attempt: old.attempt + 2 });
  await confirmWork(relay, [formatClaim(old)]);
  expect(await readState(testId)).toBe(state);
  await confirmWork(relay, [formatClaim(old), formatClaim(current)]);
  expect(await readState(testId)).toBe(confirmed);
});

test("a claim confirms only the test that it names, and an invalid claim confirms nothing", async () => {
  const [first, second] = [await offer("prompt"), await offer("prompt")];
  const claims = await workQueue.on(relay).claim({ rowsMax: 10, leaseMs });
  expect(claims.map(({ testId }) => testId).toSorted()).toEqual([first, second].toSorted());
  await confirmWork(relay, [
    `${applicationId}/${first}`,
    `${applicationId}/${first}/1/1`,
    formatClaim({ applicationId: newId(), testId: first, attempt: 1 }),
  ]);
  expect([await readState(first), await readState(second)]).toEqual(["prompt", "prompt"]);
  await confirmWork(relay, claims.filter(({ testId }) => testId === first).map(formatClaim));
  expect([await readState(first), await readState(second)]).toEqual(["writing", "prompt"]);
});
