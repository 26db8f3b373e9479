// The walk of an event through the mesh: a change over the API, its outbox, NATS, a signed delivery over TLS.

import { loopbackHost } from "@ems/test-support/loopback";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventReceiver, startEventReceiver, well } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { newWriter } from "../harness/writer.ts";

let receiver: EventReceiver;
let mesh: FaultMesh;
beforeAll(async () => {
  receiver = await startEventReceiver();
  mesh = await startFaultMesh(receiver.env);
});
afterAll(async () => {
  await mesh.close();
  await receiver.close();
});

const arrived = (applicationId: string, type: string) => expect.poll(() => receiver.idsOf(applicationId, type).size);
const requestOf = (id: string | undefined) => receiver.accepted().find((request) => request.id === id);

test("a new topic is told to the webhook, signed as Standard Webhooks has it, and logged", async () => {
  const { applicationId, webhookSecret, send } = await newWriter(mesh, receiver.url);
  const answer = await send("POST", "/v0/topics", { title: "Told" });
  const { data: topic } = (await answer.json()) as { data: { id: string } };
  await arrived(applicationId, "topic.created").toBe(1);

  const [id = ""] = receiver.idsOf(applicationId, "topic.created");
  const request = requestOf(id);
  const headers = request?.headers as Record<string, string>;
  const event = new Webhook(webhookSecret).verify(request?.body ?? "", headers);
  expect(event).toMatchObject({ id, type: "topic.created", applicationId, data: topic });

  const read = async () => (await send("GET", `/v0/webhook/deliveries/${id}`)).json();
  await expect.poll(read).toMatchObject({
    data: { id, type: "topic.created", status: "DELIVERED", attemptCount: 1, lastStatusCode: 200 },
    event,
    attempts: [{ number: 1, outcome: "DELIVERED", statusCode: 200, remoteAddress: loopbackHost }],
  });
  const validation = { signature: headers["webhook-signature"], timestamp: headers["webhook-timestamp"], body: event };
  expect(await (await send("POST", "/v0/validate-webhook", validation)).json()).toEqual({ valid: true });
});

test("after a rotation a delivery verifies with the old secret and with the new one", async () => {
  const { applicationId, webhookSecret, send } = await newWriter(mesh, receiver.url);
  const rotated = (await (await send("POST", "/v0/webhook/rotate-secret", {})).json()) as {
    data: { webhookSecret: string };
  };
  await send("POST", "/v0/topics", { title: "Told twice over" });
  await arrived(applicationId, "topic.created").toBe(1);
  const [id] = receiver.idsOf(applicationId, "topic.created");
  const { body = "", headers } = requestOf(id) ?? {};
  for (const secret of [webhookSecret, rotated.data.webhookSecret]) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ id });
  }
});

test("a test tells at once whether the webhook works", async () => {
  const { send } = await newWriter(mesh, receiver.url);
  const testWebhook = async () => (await send("POST", "/v0/webhook/test", {})).json();
  expect(await testWebhook()).toEqual({ success: true, statusCode: 200, error: null });
  receiver.behave({ kind: "answer", status: 500 });
  expect(await testWebhook()).toMatchObject({ success: false, statusCode: 500, error: expect.any(String) });
  receiver.behave(well);
});
