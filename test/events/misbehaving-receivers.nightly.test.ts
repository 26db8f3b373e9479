// Many receivers misbehave at once, each in its own way: the API reports their failures, other webhooks' events do not
// wait, and every event arrives once its receiver is healthy.

import { createTestCa, type KeyAndCertificate, selfSigned } from "@ems/test-support/certificates";
import { loopbackHost } from "@ems/test-support/loopback";
import { type Behaviour, type ForbiddenListener, startForbiddenListener } from "@ems/test-support/webhook-receiver";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EventEndpoint, type EventReceiver, startEventReceiver, well } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { newWriter, type WebhookWriter } from "../harness/writer.ts";

/** Not an allowed address. */
const forbiddenHost = "127.0.2.1";

let receiver: EventReceiver;
let mesh: FaultMesh;
let healthy: WebhookWriter;
let forbidden: ForbiddenListener;
beforeAll(async () => {
  receiver = await startEventReceiver();
  // A healthy receiver answers within this time, even on a busy machine.
  mesh = await startFaultMesh({ ...receiver.env, WEBHOOK_ATTEMPT_TIMEOUT_MS: "5000" });
  healthy = await newWriter(mesh, receiver.url);
}, 60_000);
afterAll(async () => {
  await mesh.close();
  await receiver.close();
  await forbidden?.close();
}, 60_000);

interface Misbehaviour {
  /** First label of the receiver's host name. */
  readonly name: string;
  begin(endpoint: EventEndpoint): Promise<void> | void;
  /** Undoes `begin`. Default: answer 200. */
  end?(endpoint: EventEndpoint): Promise<void> | void;
  /** Expected log of each attempt during the fault. */
  readonly attempt: object;
}

const behaving = (name: string, behaviour: Behaviour, attempt: object): Misbehaviour => ({
  name,
  begin: (endpoint) => endpoint.behave(behaviour),
  attempt: { remoteAddress: loopbackHost, ...attempt },
});
const presenting = (name: string, made: (host: string) => Promise<KeyAndCertificate>): Misbehaviour => ({
  name,
  begin: async (endpoint) => endpoint.present(await made(endpoint.name)),
  end: async (endpoint) => endpoint.present(await receiver.ca.issue([endpoint.name])),
  attempt: { outcome: "CERTIFICATE", statusCode: null, responseBody: null, remoteAddress: loopbackHost },
});

const noAnswer = { statusCode: null, responseBody: null };
const misbehaviours: readonly Misbehaviour[] = [
  behaving("hangs", { kind: "hang" }, { outcome: "TIMEOUT", ...noAnswer }),
  behaving("drips-headers", { kind: "drip-headers", everyMs: 20 }, { outcome: "TIMEOUT", ...noAnswer }),
  behaving("drips", { kind: "drip", everyMs: 20, status: 503 }, { outcome: "HTTP_STATUS", statusCode: 503 }),
  behaving("resets", { kind: "reset" }, { outcome: "CONNECTION_LOST", ...noAnswer }),
  behaving("garbage", { kind: "garbage" }, { outcome: "BAD_ANSWER", ...noAnswer }),
  behaving("fails", { kind: "answer", status: 500, body: "no" }, { outcome: "HTTP_STATUS", responseBody: "no" }),
  behaving(
    "endless",
    { kind: "endless", status: 500, bytesMax: 1 << 30 },
    { outcome: "HTTP_STATUS", statusCode: 500, responseBody: "x".repeat(16 * 1024) },
  ),
  {
    name: "redirects",
    // If the product followed the redirect, the event would be accepted.
    begin: (endpoint) => {
      const headers = { location: receiver.url };
      endpoint.behave({ kind: "answer", status: 307, headers });
    },
    attempt: { outcome: "REDIRECT", statusCode: 307, remoteAddress: loopbackHost },
  },
  presenting("expired", (host) => receiver.ca.issue([host], { expired: true })),
  presenting("wrong-name", () => receiver.ca.issue(["other.ems.test"])),
  presenting("unknown-authority", async (host) => (await createTestCa()).issue([host])),
  presenting("self-signed", (host) => selfSigned([host])),
  {
    name: "refuses",
    begin: (endpoint) => endpoint.refuse(true),
    end: (endpoint) => endpoint.refuse(false),
    attempt: { outcome: "CONNECTION_REFUSED", ...noAnswer, remoteAddress: null },
  },
  {
    name: "unknown",
    // The name resolves only once, when the webhook is set.
    begin: ({ name }) => receiver.dns.script(name, [[loopbackHost], "NXDOMAIN"]),
    end: ({ name }) => receiver.dns.set(name, [loopbackHost]),
    attempt: { outcome: "NAME_NOT_FOUND", ...noAnswer, remoteAddress: null },
  },
  {
    name: "rebinds",
    begin: async ({ name, url }) => {
      forbidden = await startForbiddenListener(forbiddenHost, Number(new URL(url).port));
      receiver.dns.script(name, [[loopbackHost], [forbiddenHost]]);
    },
    end: ({ name }) => receiver.dns.set(name, [loopbackHost]),
    attempt: { outcome: "NOT_PUBLIC", ...noAnswer, remoteAddress: null },
  },
];

test.concurrent.each(misbehaviours)(
  "a receiver that misbehaves ($name): the log has its failures, others get their events, and failed events are resent",
  async ({ name, begin, end = (endpoint) => endpoint.behave(well), attempt }) => {
    const endpoint = await receiver.another(`${name}.ems.test`);
    await begin(endpoint);
    const since = new Date().toISOString();
    const writer = await newWriter(mesh, endpoint.url);
    for (const title of ["One", "Two"]) await createTopic(writer, title);
    const ids = await awaitDeliveries(writer, 2);
    for (const id of ids) {
      await until(async () =>
        expect((await getDelivery(writer, id)).attempts[0]).toMatchObject({ number: 1, ...attempt }),
      );
    }

    const topic = await createTopic(healthy, `Healthy while ${name}`);
    const arrived = await awaitEvent(topic);
    await until(async () => expect((await getDelivery(healthy, arrived)).data.status).toBe("DELIVERED"));

    // Simulates three days: the next attempt is the last one.
    await until(async () => {
      await mesh.sql(
        `UPDATE notifications.delivery SET schedule_step = schedule_steps - 1, next_attempt_at = now()
         WHERE application_id = $1 AND status = 'PENDING' AND type = 'topic.created'`,
        [writer.applicationId],
      );
      expect(await countFailed(writer)).toBe(2);
    });
    expect(getAccepted(writer)).toEqual(new Set());

    await end(endpoint);
    const [resentId = ""] = ids;
    expect(await post(writer, `/v0/webhook/deliveries/${resentId}/resend`)).toMatchObject({
      data: { status: "PENDING" },
    });
    // Recovers the other topic's event, and events about the webhook itself that are still pending.
    expect((await post(writer, "/v0/webhook/recover", { since })).count).toBeGreaterThanOrEqual(1);
    await until(() => expect(getAccepted(writer)).toEqual(new Set(ids)));
    for (const id of ids) {
      await until(async () => expect((await getDelivery(writer, id)).data.status).toBe("DELIVERED"));
      const { attempts } = await getDelivery(writer, id);
      const [last, ...before] = attempts.toReversed();
      expect(last).toMatchObject({ outcome: "DELIVERED", statusCode: 200 });
      expect(before.length).toBeGreaterThan(0);
      for (const each of before) expect(each).toMatchObject(attempt);
    }
    if (name === "rebinds") expect(forbidden.connections).toBe(0);
  },
);

test.concurrent("what a receiver holds on to without an answer does not hold up anybody else's events", async () => {
  const endpoint = await receiver.another("holds-on.ems.test");
  endpoint.behave({ kind: "hang" });
  await newWriter(mesh, endpoint.url);
  await until(async () => {
    const [held = ""] = endpoint.inHand();
    await awaitEvent(await createTopic(healthy, "Healthy meanwhile"));
    expect(endpoint.inHand()).toContain(held);
  });
});

test.concurrent.each<[string, Behaviour, object]>([
  ["more-than-promised", { kind: "long-body" }, { responseBody: "mu" }],
  ["endless-and-200", { kind: "endless", bytesMax: 1 << 30 }, { responseBody: "x".repeat(16 * 1024) }],
  ["less-than-promised", { kind: "short-body" }, { responseBody: "short" }],
  ["reset-in-body", { kind: "reset-in-body" }, {}],
  ["hangs-after-headers", { kind: "hang-after-headers" }, { responseBody: "" }],
  ["drips-and-200", { kind: "drip", everyMs: 20 }, { responseBody: expect.stringMatching(/^\.+$/) }],
])(
  "a receiver that accepts and says too much, too little or too slowly (%s) has accepted",
  async (name, behaviour, attempt) => {
    const endpoint = await receiver.another(`${name}.ems.test`);
    endpoint.behave(behaviour);
    const writer = await newWriter(mesh, endpoint.url);
    await createTopic(writer, "Accepted");
    const [id = ""] = await awaitDeliveries(writer, 1);
    const delivered = { outcome: "DELIVERED", statusCode: 200, ...attempt };
    const log = { data: { status: "DELIVERED", attemptCount: 1 }, attempts: [delivered] };
    await until(async () => expect(await getDelivery(writer, id)).toMatchObject(log));
  },
);

test.concurrent("a receiver whose DNS zone is broken is charged no failure; the log and a test of the webhook say so", async () => {
  const endpoint = await receiver.another("broken-zone.ems.test");
  receiver.dns.script(endpoint.name, [[loopbackHost], "SERVFAIL"]);
  const writer = await newWriter(mesh, endpoint.url);
  await createTopic(writer, "To be found later");
  const [id = ""] = await awaitDeliveries(writer, 1);
  const unmade = { data: { status: "PENDING", attemptCount: 0, lastOutcome: "RESOLVER" }, attempts: [] };
  await until(async () => expect(await getDelivery(writer, id)).toMatchObject(unmade));
  const error = "The name servers do not answer for the host of the URL";
  expect(await post(writer, "/v0/webhook/test")).toEqual({ success: false, statusCode: null, error });
  receiver.dns.set(endpoint.name, [loopbackHost]);
  await post(writer, `/v0/webhook/deliveries/${id}/resend`);
  await until(() => expect(getAccepted(writer)).toEqual(new Set([id])));
});

test.concurrent("a receiver that is gone (410) is sent nothing until its webhook is set again; then all is sent", async () => {
  const endpoint = await receiver.another("gone.ems.test");
  endpoint.behave({ kind: "answer", status: 410 });
  const writer = await newWriter(mesh, endpoint.url);
  await createTopic(writer, "Gone");
  const disabled = { disabledAt: expect.any(String), disabledReason: "GONE" };
  await until(async () => expect(await read(writer, "/v0/webhook")).toMatchObject({ data: disabled }));
  await createTopic(writer, "Told to nobody yet");
  await until(async () => expect(await countFailed(writer)).toBe(2));
  const ids = await awaitDeliveries(writer, 2);
  expect(getAccepted(writer)).toEqual(new Set());

  endpoint.behave(well);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect((await writer.send("POST", "/v0/webhook/recover", { since })).status).toBe(422);
  expect(await post(writer, "/v0/webhook", { url: endpoint.url })).toMatchObject({ data: { disabledAt: null } });
  await post(writer, "/v0/webhook/recover", { since });
  await until(() => expect(getAccepted(writer)).toEqual(new Set(ids)));
});

const patience = { timeout: 60_000, interval: 50 };
const until = (look: () => void | Promise<void>) => vi.waitFor(look, patience);

/** Returns the ids of accepted events about the writer's topics. */
const getAccepted = ({ applicationId }: WebhookWriter) => receiver.getIds(applicationId, "topic.created");

const topicDeliveries = "/v0/webhook/deliveries?type=topic.created";

/** Waits for the event about the topic to be accepted; returns its id. */
function awaitEvent(topic: string): Promise<string> {
  return vi.waitUntil(() => receiver.accepted().find(({ body }) => JSON.parse(body).data.id === topic)?.id, patience);
}

/** Waits for that many deliveries of the writer's topics; returns their ids. */
async function awaitDeliveries(writer: WebhookWriter, count: number): Promise<string[]> {
  return vi.waitUntil(async () => {
    const { data } = await read(writer, topicDeliveries);
    return data.length === count && data.map(({ id }: { id: string }) => id);
  }, patience);
}

/** Returns the number of the writer's deliveries that have failed permanently. */
async function countFailed(writer: WebhookWriter): Promise<number> {
  return (await read(writer, `${topicDeliveries}&status=FAILED`)).pagination.total;
}

const getDelivery = (writer: WebhookWriter, id: string) => read(writer, `/v0/webhook/deliveries/${id}`);

async function createTopic(writer: WebhookWriter, title: string): Promise<string> {
  const { data } = await post(writer, "/v0/topics", { title });
  return data.id;
}

const read = async (writer: WebhookWriter, path: string) => readJson(await writer.send("GET", path));
const post = async (writer: WebhookWriter, path: string, json: object = {}) =>
  readJson(await writer.send("POST", path, json));

// biome-ignore lint/suspicious/noExplicitAny: tests read any JSON and assert its shape
async function readJson(answer: Response): Promise<any> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text);
}
