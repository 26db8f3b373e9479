import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { type Job, renewedLeases } from "./store.ts";

const server = await testDatabase(inject("postgres"));
const schema = { name: "evaluation" };
const relayDatabase = new RelayDatabase({
  schema,
  url: server.getRelayUrl(schema),
  poolMax: 2,
  log: createLog("test", "silent"),
});
afterAll(async () => {
  await relayDatabase.close();
  await server.drop();
});

/** Adds a job whose lease ends after this many seconds. */
async function leased(seconds: number): Promise<Job> {
  const [job] = await server.sql<Job & { leasedUntil: Date }>(
    `INSERT INTO evaluation.job (application_id, id, org_id, kind, test_id, needs_model, created_at, next_attempt_at, leased_until)
     VALUES ($1, $2, 'org', 'JUDGE', $3, true, now(), now(), now() + $4 * interval '1 second')
     RETURNING application_id AS "applicationId", id, leased_until AS "leasedUntil"`,
    [newId(), newId(), newId(), seconds],
  );
  if (job === undefined) throw new Error("no row was inserted");
  return job;
}
const renew = (job: Job) =>
  server.sql("UPDATE evaluation.job SET leased_until = now() + interval '1 hour' WHERE id = $1", [job.id]);

test("only a renewal before the end of the old lease counts", async () => {
  const [renewed, unrenewed, late] = [await leased(600), await leased(600), await leased(-1)];
  await renew(renewed);
  await renew(late);
  expect(await renewedLeases(relayDatabase, [renewed, unrenewed, late])).toEqual([
    { applicationId: renewed.applicationId, id: renewed.id, leasedUntil: expect.any(Date) },
  ]);
});
