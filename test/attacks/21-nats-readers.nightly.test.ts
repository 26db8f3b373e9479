// Stolen credentials of `ems nats user`: they read the events that they were created for, and do nothing else.

import { rm } from "node:fs/promises";
import { natsConfiguration, userName } from "@ems/deploy/nats-users";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { temporaryDir } from "@ems/dev/temporary-dir";
import type { EventBus, Subscription } from "@ems/kit/events/bus";
import { openNatsBus, openNatsPublisher } from "@ems/kit/events/nats/bus";
import { consumerName, streamName } from "@ems/kit/events/nats/topology";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { testEvent, testEventHandler } from "@ems/test-support";
import { AckPolicy, type ConsumerConfig, connect, type JsMsg, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { natsServerBinary } from "../harness/nats.ts";

const dir = await temporaryDir("ems-test-nats-readers-");
const ems = emsAs({ baseUrl: "http://127.0.0.1:1", apiKey: "none", applicationId: newId() });
const applicationId = newId();
const log = createLog("test", "silent");

interface Reader {
  readonly user: string;
  readonly password: string;
  readonly inboxPrefix: string;
  readonly consumers: readonly { readonly name: string; readonly filter: string }[];
}
/** Output of the command for a server's file, and with --json. */
async function newReader(...args: string[]): Promise<{ reader: Reader; entry: string }> {
  const made = await ems(["nats", "user", ...args, "--json"]);
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("Consumer")]);
  const reader: Reader = JSON.parse(made.stdout);
  const entry = (await ems(["nats", "user", ...args])).stdout.replace(
    /password: "[^"]+"/,
    `password: "${reader.password}"`,
  );
  return { reader, entry };
}

let server: NatsServer;
let all: Reader;
let scoped: Reader;
let catalog: EventBus;
let notifications: EventBus;
let taking: Subscription;
const product = testEventHandler();
const connections: NatsConnection[] = [];

beforeAll(async () => {
  const made = await Promise.all([
    newReader("billing"),
    newReader("audit", "--types", "topic.created,api_key.deleted", "--application", applicationId),
  ]);
  [all, scoped] = made.map(({ reader }) => reader) as [Reader, Reader];
  const users = ["catalog", "notifications", "identity"] as const;
  const access = natsConfiguration(users, () => '"only-in-tests"').replace(
    /\n {2}\]\n\}$/,
    `\n${made.map(({ entry }) => entry).join("\n")}\n  ]\n}`,
  );
  server = await startNatsServer({ binary: await natsServerBinary(), dir, access });
  const options = (user: (typeof users)[number]) => ({
    url: Object.assign(new URL(server.url), { username: userName(user), password: "only-in-tests" }).href,
    name: userName(user),
    log,
  });
  notifications = await openNatsBus({ ...options("notifications"), replicas: 1 });
  catalog = await openNatsPublisher(options("catalog"));
  taking = notifications.consume(product);
});
afterAll(async () => {
  for (const nc of connections) await nc.close();
  await taking?.stop();
  await catalog?.close();
  await notifications?.close();
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function as({ user, password, inboxPrefix }: Reader): Promise<NatsConnection> {
  const { host } = new URL(server.url);
  const nc = await connect({ servers: host, user, pass: password, inboxPrefix, reconnect: false, timeout: 5_000 });
  connections.push(nc);
  return nc;
}

async function createConsumer(
  nc: NatsConnection,
  { name, filter }: Reader["consumers"][number],
  more: Partial<ConsumerConfig> = {},
) {
  const config = {
    durable_name: name,
    name,
    ack_policy: AckPolicy.Explicit,
    filter_subject: filter,
    ack_wait: 1e9,
    ...more,
  };
  const subject = `$JS.API.CONSUMER.CREATE.${streamName}.${name}.${filter}`;
  return JSON.parse(await asks(nc, subject, JSON.stringify({ stream_name: streamName, config })));
}

/** Requests that subject; returns `refused` or the outcome. */
async function asks(nc: NatsConnection, subject: string, payload = "{}"): Promise<string> {
  return nc.request(subject, payload, { timeout: 3_000 }).then(
    (answer) => answer.string(),
    (error: Error) => JSON.stringify(/permissions violation/i.test(error.message) ? "refused" : error.message),
  );
}

/** True if the server allows a subscription to that subject. */
async function hears(nc: NatsConnection, subject: string): Promise<boolean> {
  const refused = new Promise<boolean>((resolve) => {
    nc.subscribe(subject, { callback: (error) => error !== null && resolve(false) });
  });
  return Promise.race([refused, nc.flush().then(() => nc.rtt().then(() => true))]);
}

/** Pulls `count` messages. */
async function pull(nc: NatsConnection, name: string, count: number): Promise<JsMsg[]> {
  // Without a look-up of the stream, for which it lacks permission.
  const consumer = await nc.jetstream({ timeout: 5_000 }).consumers.get(streamName, name);
  const got: JsMsg[] = [];
  for await (const message of await consumer.fetch({ max_messages: count, expires: 20_000 })) got.push(message);
  return got;
}
const getId = (message: JsMsg) => message.headers?.get("Nats-Msg-Id");

test("it reads all events, acknowledges them, and goes on after a restart where it was", async () => {
  const events = Array.from({ length: 6 }, () => testEvent());
  for (const event of events) await catalog.publish(event);
  const [consumer] = all.consumers;
  if (consumer === undefined) throw new Error("no consumer");
  const first = await as(all);
  expect(await createConsumer(first, consumer)).toMatchObject({ name: "billing" });
  // Creating it twice, as at each start, is no error.
  expect(await createConsumer(first, consumer)).toMatchObject({ name: "billing" });
  const before = await pull(first, "billing", 3);
  expect(before.map(getId)).toEqual(events.slice(0, 3).map(({ id }) => id));
  expect(Buffer.from(before[0]?.data ?? [])).toEqual(events[0]?.body);
  for (const message of before.slice(0, 2)) expect(await message.ackAck()).toBe(true);
  await first.close();

  const second = await as(all);
  await createConsumer(second, consumer);
  // The third was never acknowledged.
  const after: JsMsg[] = [];
  await expect
    .poll(async () => {
      for (const message of await pull(second, "billing", 1)) if (await message.ackAck()) after.push(message);
      return new Set(after.map(getId)).size;
    })
    .toBe(4);
  expect(after.map(getId).sort()).toEqual(
    events
      .slice(2)
      .map(({ id }) => id)
      .sort(),
  );
});

test("of types and an application it gets these only, and no wish of its own widens that", async () => {
  const [mine, foreign] = [testEvent({ applicationId }), testEvent()];
  for (const event of [foreign, mine, testEvent({ applicationId, type: "topic.archived" })])
    await catalog.publish(event);
  const nc = await as(scoped);
  expect(scoped.consumers).toEqual([
    { name: "audit_topic_created", filter: `ems.v1.evt.catalog.topic.created.${applicationId}` },
    { name: "audit_api_key_deleted", filter: `ems.v1.evt.identity.api_key.deleted.${applicationId}` },
  ]);
  const [consumer] = scoped.consumers;
  if (consumer === undefined) throw new Error("no consumer");
  const wider = "ems.v1.evt.>";
  for (const more of [
    { filter_subject: wider },
    { filter_subject: undefined },
    { filter_subject: undefined, filter_subjects: [wider] },
  ] as object[]) {
    expect(await createConsumer(nc, consumer, more)).toMatchObject({ error: { code: 400 } });
  }
  for (const name of ["billing", consumerName, "other"]) {
    expect(await createConsumer(nc, { ...consumer, name })).toBe("refused");
    expect(await createConsumer(nc, consumer, { name, durable_name: name })).toMatchObject({ error: { code: 400 } });
  }
  expect(await createConsumer(nc, { ...consumer, filter: wider })).toBe("refused");
  expect(await createConsumer(nc, consumer)).toMatchObject({ name: consumer.name });
  expect((await pull(nc, consumer.name, 1)).map(getId)).toEqual([mine.id]);
});

test("variant: it publishes nothing, changes no stream, uses no other user's consumer and receives only its own replies", async () => {
  const nc = await as(all);
  const event = testEvent();
  const api = "$JS.API";
  const verbs = ["INFO", "CREATE", "UPDATE", "DELETE", "PURGE", "MSG.GET", "MSG.DELETE", "SNAPSHOT", "RESTORE"];
  const consumer = (verb: string, name: string) => `${api}.CONSUMER.${verb}.${streamName}.${name}`;
  for (const subject of [
    ...[event.subject, "ems.v1.evt.x", "any", `_INBOX.${userName("notifications")}.a`, "_INBOX.audit.a"],
    ...verbs.map((verb) => `${api}.STREAM.${verb}.${streamName}`),
    ...[`${api}.STREAM.LIST`, `${api}.STREAM.NAMES`, `${api}.INFO`, `${api}.DIRECT.GET.${streamName}`],
    ...[`${api}.CONSUMER.LIST.${streamName}`, `${api}.CONSUMER.NAMES.${streamName}`],
    ...[consumerName, "audit_topic_created"].flatMap((name) =>
      ["INFO", "MSG.NEXT", "DELETE", "DURABLE.CREATE"].map((verb) => consumer(verb, name)),
    ),
    ...[
      consumer("DELETE", "billing"),
      `${api}.CONSUMER.CREATE.${streamName}`,
      `${api}.CONSUMER.CREATE.${streamName}.billing`,
    ],
    ...[`$JS.ACK.${streamName}.${consumerName}.1.1.1.1.1`, "$SYS.REQ.SERVER.PING", "$SYS.REQ.ACCOUNT.PING.INFO"],
  ]) {
    expect([subject, JSON.parse(await asks(nc, subject))]).toEqual([subject, "refused"]);
  }
  for (const subject of [
    ...["ems.v1.evt.>", "ems.v1.evt.catalog.>", "$JS.>", "$SYS.>", ">", "_INBOX.>", "_INBOX.*.*"],
    ...[`_INBOX.${userName("notifications")}.>`, "_INBOX.audit.>", "$JS.EVENT.ADVISORY.>", "$JS.ACK.>"],
  ]) {
    expect([subject, await hears(nc, subject)]).toEqual([subject, false]);
  }
});

test("variant: copies of an event, sent to others in place of its replies, have no effect on the product", async () => {
  const event = testEvent();
  await catalog.publish(event);
  await expect.poll(() => product.handled.map(({ id }) => id)).toContain(event.id);
  const nc = await as(all);
  const [before, dead] = [product.handled.length, product.deadLetters.length];
  // NATS does not check the destination of an answer.
  for (const reply of [event.subject, `_INBOX.${userName("notifications")}.a`, `$JS.API.STREAM.PURGE.${streamName}`]) {
    nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${streamName}.billing`, JSON.stringify({ batch: 1, no_wait: true }), {
      reply,
    });
    await nc.flush();
  }
  const last = testEvent();
  await catalog.publish(last);
  await expect.poll(() => product.handled.map(({ id }) => id)).toContain(last.id);
  expect(product.handled.slice(before).map(({ id }) => id)).toEqual([last.id]);
  expect(product.deadLetters).toHaveLength(dead);
});

test("a name of the product's, or one with other signs, makes no user; a type that is none is named", async () => {
  for (const name of ["ems-catalog", "notifications-v1", "Audit", "a.b", "a>", "a_b", "1a"]) {
    const made = await ems(["nats", "user", name]);
    expect([name, made.code, made.stdout]).toEqual([name, 2, ""]);
  }
  const unknown = await ems(["nats", "user", "audit", "--types", "topic.created,people.assigned"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("unknown types: people.assigned")]);
  expect((await ems(["nats", "user", "audit", "--application", "*"])).code).toBe(2);
});

test("the entry for the chart is YAML with the same permissions", async () => {
  const { stdout } = await ems(["nats", "user", "audit", "--format", "chart", "--types", "topic.created"]);
  const { user, permissions } = JSON.parse(stdout.replace(/^- /, ""));
  expect(user).toBe("audit");
  expect(permissions.subscribe).toEqual({ allow: ["_INBOX.audit.>"] });
  expect(permissions.publish.allow).toContain(`$JS.API.CONSUMER.MSG.NEXT.${streamName}.audit_topic_created`);
});
