// Notifications is killed between a prompt's attempt and its outcome, at each possible point: every outcome is reported after
// the restart, and every test ends, once.

import { ownerRole } from "@ems/kit/db/schema";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventEndpoint, type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { newPrompted, type Prompted, passing } from "../harness/prompted.ts";

let receiver: EventReceiver;
let mesh: FaultMesh;
beforeAll(async () => {
  receiver = await startEventReceiver();
  // An attempt takes longer than a kill on a busy machine; deliveries in progress are attempted again after the lease.
  const times = { PROMPT_ATTEMPT_TIMEOUT_MS: "20000", PROMPT_LEASE_MS: "40000" };
  mesh = await startFaultMesh({ ...receiver.env, ...times, RECONCILE_MS: "1000" });
});
afterAll(async () => {
  await mesh?.close();
  await receiver.close();
});

/** Creates an application whose own receiver holds the prompt of its one test. */
async function held(name: string) {
  const endpoint = await receiver.another(`${name}.ems.test`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const arrivals: string[] = [];
  endpoint.behave(({ headers, id }) => {
    if (headers["ems-delivery"] !== "prompt") return { kind: "answer", status: 200 };
    arrivals.push(id);
    return { kind: "held", status: 200, when: released, body: passing };
  });
  const application = await newPrompted(mesh, endpoint.url);
  const [testId = ""] = await application.trigger(1);
  await expect.poll(() => endpoint.inHand().has(testId)).toBe(true);
  return { ...application, endpoint, release, arrivals, testId };
}

const readStatus = async ({ read, testId }: Prompted & { testId: string }) => {
  const { test } = await read(`/v0/tests/${testId}`);
  return { status: test.status, waitingFor: test.waitingFor };
};
const getRows = (table: string, column: string, testId: string) =>
  mesh.sql(`SELECT * FROM notifications.${table} WHERE ${column} = $1`, [testId]);
const answered = (endpoint: EventEndpoint, testId: string) =>
  expect.poll(() => endpoint.inHand().has(testId)).toBe(false);

/** Locks the delivery, so that no outcome can be recorded; returns a function that releases it. */
async function lockDelivery({ applicationId, testId }: { applicationId: string; testId: string }) {
  const client = new pg.Client({ connectionString: mesh.installation.urlAs(ownerRole) });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT set_config('ems.application_id', $1, true)", [applicationId]);
  const { rowCount } = await client.query("SELECT 1 FROM notifications.delivery WHERE id = $1 FOR UPDATE", [testId]);
  expect(rowCount).toBe(1);
  return () => client.end();
}

test("killed while a receiver has the prompt, before the answer is recorded, and before it is reported", async () => {
  const [unanswered, unrecorded, unreported] = await Promise.all(
    ["unanswered", "unrecorded", "unreported"].map((name) => held(name)),
  );
  if (!unanswered || !unrecorded || !unreported) throw new Error("three applications are needed");
  const all = [unanswered, unrecorded, unreported];
  const unlock = await lockDelivery(unrecorded);
  await mesh.kill("experiments");
  unrecorded.release();
  unreported.release();
  await answered(unrecorded.endpoint, unrecorded.testId);
  await expect.poll(() => getRows("prompt_outcome", "test_id", unreported.testId)).toHaveLength(1);
  const [outcome] = await getRows("prompt_outcome", "test_id", unreported.testId);
  expect(await getRows("attempt", "delivery_id", unrecorded.testId)).toEqual([]);
  await mesh.kill("notifications");
  await unlock();
  unanswered.release();

  await mesh.restart("experiments");
  // The API reports that its prompts have no outcome yet.
  await expect
    .poll(() => Promise.all(all.map(readStatus)).catch(String))
    .toEqual(all.map(() => ({ status: "PENDING", waitingFor: "delivery" })));
  await mesh.restart("notifications");
  await expect
    .poll(() => Promise.all(all.map(readStatus)).catch(String), { timeout: 150_000, interval: 500 })
    .toEqual(all.map(() => ({ status: "COMPLETED", waitingFor: null })));

  for (const { read, testId } of all) {
    const { test } = await read(`/v0/tests/${testId}`);
    expect(test).toMatchObject({ passed: true, evals: [{ status: "COMPLETED", passed: true }] });
    const { data, attempts } = await read(`/v0/webhook/deliveries/${testId}`);
    // An attempt without a recorded end is not in the log.
    expect([data.status, attempts.length]).toEqual(["DELIVERED", 1]);
    expect(await mesh.sql("SELECT id FROM traces.trace WHERE test_id = $1", [testId])).toHaveLength(1);
    await expect.poll(() => getRows("prompt_outcome", "test_id", testId)).toEqual([]);
  }
  // At least once if the answer was lost with the process, once if it was recorded.
  expect(all.map(({ arrivals }) => arrivals.length)).toEqual([2, 2, 1]);

  // Killed between the acknowledgment and its record: the outcome is reported twice, the second time without effect.
  const before = await unreported.read(`/v0/tests/${unreported.testId}`);
  await mesh.kill("notifications");
  await mesh.sql(
    "INSERT INTO notifications.prompt_outcome SELECT * FROM json_populate_record(null::notifications.prompt_outcome, $1)",
    [JSON.stringify({ ...outcome, leased_until: null })],
  );
  await mesh.restart("notifications");
  await expect.poll(() => getRows("prompt_outcome", "test_id", unreported.testId)).toEqual([]);
  expect(await unreported.read(`/v0/tests/${unreported.testId}`)).toEqual(before);
  expect(await mesh.sql("SELECT id FROM traces.trace WHERE test_id = $1", [unreported.testId])).toHaveLength(1);
  expect(mesh.crashes).toEqual([]);
});
