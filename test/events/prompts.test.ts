// The path of a prompt through the mesh: from a trigger over NATS to the application's webhook, and its outcome back to
// the test. Times are shorter than the defaults; the schedule is the product's, but the test ends its waits.

import type { ReceivedRequest, Behaviour as Reply } from "@ems/test-support/webhook-receiver";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EventReceiver, startEventReceiver, well } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { newPrompted, type Prompted, passing } from "../harness/prompted.ts";

let receiver: EventReceiver;
let mesh: FaultMesh;
beforeAll(async () => {
  receiver = await startEventReceiver();
  // A healthy receiver answers within this time, even on a busy machine.
  mesh = await startFaultMesh({ ...receiver.env, PROMPT_ATTEMPT_TIMEOUT_MS: "10000", PROMPT_LEASE_MS: "20000" });
});
afterAll(async () => {
  await mesh?.close();
  await receiver.close();
});

const patience = { timeout: 90_000, interval: 100 };

/** Creates an application with a scripted reply to its prompts; returns the received requests. */
async function prompted(name: string, reply: Reply) {
  const endpoint = await receiver.another(`${name}.ems.test`);
  const prompts: ReceivedRequest[] = [];
  let inHandMax = 0;
  endpoint.behave((request) => {
    if (request.headers["ems-delivery"] !== "prompt") return well;
    prompts.push(request);
    inHandMax = Math.max(inHandMax, endpoint.inHand().size);
    return reply;
  });
  return { ...(await newPrompted(mesh, endpoint.url)), endpoint, prompts, inHandMax: () => inHandMax };
}

const untilTest = (application: Prompted, id: string, expected: object) =>
  vi.waitFor(async () => expect((await application.read(`/v0/tests/${id}`)).test).toMatchObject(expected), patience);
const getDelivery = (application: Prompted, id: string) => application.read(`/v0/webhook/deliveries/${id}`);

test.concurrent("a prompt is signed, says what it is, and is known again whatever was done to its JSON", async () => {
  const application = await prompted("signed", { kind: "answer", status: 200, body: passing });
  const [id = ""] = await application.trigger(1);
  await untilTest(application, id, {
    status: "COMPLETED",
    passed: true,
    evals: [{ status: "COMPLETED", passed: true }],
  });
  expect(application.prompts).toHaveLength(1);
  const [request] = application.prompts;
  const { body = "" } = request ?? {};
  // The lines above check that the request arrived.
  const headers = request?.headers as Record<string, string>;
  expect(headers).toMatchObject({ "ems-delivery": "prompt", "webhook-id": id, "content-type": "application/json" });
  const { applicationId, webhookSecret } = application;
  const sent = new Webhook(webhookSecret).verify(body, headers) as object;
  expect(sent).toMatchObject({ testId: id, prompt: "Which code is it?", applicationId });

  const validation = { signature: headers["webhook-signature"], timestamp: headers["webhook-timestamp"] };
  const isValid = async (value: unknown) => {
    const answer = await application.send("POST", "/v0/validate-webhook", { ...validation, body: value });
    return ((await answer.json()) as { valid: boolean }).valid;
  };
  const reordered = Object.fromEntries(Object.entries(sent).reverse());
  for (const value of [sent, reordered, body, JSON.stringify(reordered, null, 3)]) {
    expect([value, await isValid(value)]).toEqual([value, true]);
  }
  expect(await isValid({ ...sent, prompt: "Which code is it" })).toBe(false);
  expect(await isValid({ ...sent, more: null })).toBe(false);

  const { data } = await application.read(`/v0/webhook/deliveries?testId=${id}`);
  expect(data).toMatchObject([
    { id, testId: id, kind: "PROMPT", type: "prompt", status: "DELIVERED", attemptCount: 1 },
  ]);
});

test.concurrent.each([
  ["busy-429", { kind: "answer", status: 429 }, "The webhook answered 429"],
  ["busy-503", { kind: "answer", status: 503 }, "The webhook answered 503"],
  ["refuses-prompts", undefined, "The webhook refused the connection"],
] as const)("a receiver that is away or busy (%s) is tried again after 5, 30 and 120 s", async (name, reply, why) => {
  const application = await prompted(name, reply ?? well);
  if (reply === undefined) await application.endpoint.refuse(true);
  const [id = ""] = await application.trigger(1);
  for (const [at, seconds] of [5, 30, 120].entries()) {
    const { attempts, data } = await vi.waitFor(async () => {
      const found = await getDelivery(application, id);
      expect(found.data).toMatchObject({ status: "PENDING", attemptCount: at + 1 });
      return found;
    }, patience);
    const waitMs = Date.parse(data.nextAttemptAt) - Date.parse(attempts.at(-1).startedAt);
    expect(waitMs).toBeGreaterThanOrEqual(seconds * 1000);
    await mesh.sql("UPDATE notifications.delivery SET next_attempt_at = now() WHERE id = $1", [id]);
  }
  await untilTest(application, id, { status: "FAILED", message: `prompt_failed: ${why}` });
  expect((await getDelivery(application, id)).data).toMatchObject({ status: "FAILED", attemptCount: 4 });
});

test.concurrent.each([
  ["fails-prompts", { kind: "answer", status: 500 }, "The webhook answered 500"],
  ["hangs-prompts", { kind: "hang" }, "The webhook did not answer in time"],
] as const)("a receiver that fails (%s) is not tried again", async (name, reply, why) => {
  const application = await prompted(name, reply);
  const [id = ""] = await application.trigger(1);
  await untilTest(application, id, { status: "FAILED", message: `prompt_failed: ${why}` });
  expect((await getDelivery(application, id)).data).toMatchObject({ status: "FAILED", attemptCount: 1 });
  expect(application.prompts).toHaveLength(1);
});

const mib = 1024 * 1024;
test.concurrent.each([
  ["answers-a-mebibyte", mib, { status: "COMPLETED", passed: true }],
  ["answers-more", mib + 1, { status: "IN_PROGRESS", waitingFor: "trace" }],
] as const)("an answer is read to a mebibyte; a longer one was an acceptance (%s)", async (name, bytes, expected) => {
  const application = await prompted(name, { kind: "answer", status: 200, body: passing.padEnd(bytes) });
  const [id = ""] = await application.trigger(1);
  await untilTest(application, id, expected);
  expect((await getDelivery(application, id)).data).toMatchObject({ status: "DELIVERED", attemptCount: 1 });
});

test.concurrent("a receiver has eight prompts in hand, and the next ones as it answers", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const application = await prompted("eight", { kind: "held", status: 200, when: released, body: passing });
  const ids = await application.trigger(20);
  await vi.waitFor(() => expect(application.endpoint.inHand().size).toBe(8), patience);
  release();
  for (const id of ids) await untilTest(application, id, { status: "COMPLETED", passed: true });
  expect(application.inHandMax()).toBe(8);
  expect(application.prompts.map(({ id }) => id).sort()).toEqual(ids.toSorted());
});
