// Tests against a real nats-server: events arrive unchanged, and no failure of the server loses one.

import { jsonEvents, type TestEventHandler, testEvent, testEventHandler, testNats } from "@ems/test-support";
import { connect, headers, type JetStreamManager, type NatsConnection, nanos } from "nats";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newId } from "../../id.ts";
import { createLog } from "../../log.ts";
import type { BusEvent, EventBus, EventHandler, ReceivedEvent, Subscription } from "../bus.ts";
import { findType, readEvent, webhookJson } from "../content.ts";
import { buildHeaders, buildSubject } from "../message.ts";
import { openNatsBus, openNatsPublisher } from "./bus.ts";
import { consumerName, streamName } from "./topology.ts";

const log = createLog("test", "silent");
const nats = await testNats();
const open = (url = nats.url) => openNatsBus({ url, name: "test", log, replicas: 1 });
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 60_000, interval: 10 });

let operator: NatsConnection;
let jsm: JetStreamManager;
let bus: EventBus;
const consumptions: Subscription[] = [];

async function connectOperator(): Promise<void> {
  const { hostname, port } = new URL(nats.url);
  operator = await connect({ servers: `${hostname}:${port}`, user: "ems", pass: "only-in-tests", reconnect: false });
  jsm = await operator.jetstreamManager();
}

beforeAll(connectOperator);
beforeEach(async () => {
  bus = await open();
});
afterEach(async () => {
  for (const consumption of consumptions.splice(0)) await consumption.stop();
  await bus.close();
  if (operator.isClosed()) await connectOperator();
  await jsm.streams.delete(streamName).catch(() => undefined);
});
afterAll(() => operator.close());

function consume<C extends EventHandler>(consumer: C, of = bus): C {
  consumptions.push(of.consume(consumer));
  return consumer;
}

const publishAll = (events: readonly BusEvent[], on = bus) => Promise.all(events.map((event) => on.publish(event)));

/** Redelivers after three seconds instead of 30; the server implements the wait, whatever its length. */
async function shortenAckWait(): Promise<void> {
  const shorten = () =>
    jsm.consumers.update(streamName, consumerName, { ack_wait: nanos(3_000) }).then(
      ({ config }) => config.ack_wait,
      () => undefined,
    );
  await poll(shorten).toBe(nanos(3_000));
}

async function publishSurely(event: BusEvent): Promise<void> {
  for (;;) {
    try {
      return await bus.publish(event);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const events = (count: number) => Array.from({ length: count }, () => testEvent());
const ids = (of: readonly { id: string }[]) => of.map(({ id }) => id).sort();
const pending = async () => (await jsm.consumers.info(streamName, consumerName)).num_ack_pending;

test("an event arrives as published, byte for byte", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const data = { title: 'ä€😀\u0000\u2028 "\\' };
  const sent = [
    testEvent({ orgId: "Mutter & Söhne\r\nX: y", traceparent, data }),
    testEvent({ data: { title: "x".repeat(511 * 1024) } }),
  ];
  const { handled } = consume(testEventHandler());
  await publishAll(sent);
  await poll(() => handled.length).toBe(2);
  const received = handled.map((each) => ({ ...each, message: Buffer.from(each.message) }));
  for (const { body, isJson, payload, ...event } of sent) expect(received).toContainEqual(event);
});

test("duplicates are dropped, and pending events are delivered in batches", async () => {
  const sent = events(500);
  await publishAll([...sent, ...sent]);
  const consumer = consume(testEventHandler());
  await poll(() => consumer.handled.length).toBe(500);
  expect(ids(consumer.handled)).toEqual(ids(sent));
  expect(consumer.calls).toBeLessThan(50);
  await poll(pending).toBe(0);
});

test("a deleted consumer is recreated, and pending events are delivered", async () => {
  const { handled } = consume(testEventHandler());
  const [first, second] = [testEvent(), testEvent()];
  await bus.publish(first);
  await poll(() => ids(handled)).toEqual([first.id]);
  await jsm.consumers.delete(streamName, consumerName);
  await bus.publish(second);
  await poll(() => ids(handled)).toContain(second.id);
});

test("a deleted stream is recreated by the publisher", async () => {
  const { handled } = consume(testEventHandler());
  const event = testEvent();
  await bus.publish(testEvent());
  await poll(() => handled.length).toBe(1);
  await jsm.streams.delete(streamName);
  await expect(bus.publish(event)).rejects.toThrow();
  await publishSurely(event);
  await poll(() => ids(handled)).toContain(event.id);
});

test("a publisher creates no stream and reports a missing one; it publishes when the stream exists", async () => {
  await jsm.streams.delete(streamName);
  const publisher = await openNatsPublisher({ url: nats.url, name: "teller", log });
  const event = testEvent();
  await expect(publisher.publish(event)).rejects.toThrow("the event stream does not exist");
  await expect(publisher.check()).rejects.toThrow("the event stream does not exist");
  await expect(jsm.streams.info(streamName)).rejects.toThrow("stream not found");
  expect(() => publisher.consume(testEventHandler())).toThrow("cannot consume");
  const { handled } = consume(testEventHandler());
  await poll(() => publisher.publish(event).then(() => "published", String)).toBe("published");
  await expect(publisher.check()).resolves.toBeUndefined();
  await poll(() => ids(handled)).toEqual([event.id]);
  await publisher.close();
});

test("no event is lost when NATS is killed and restarted under load", { timeout: 240_000 }, async () => {
  const { handled } = consume(testEventHandler());
  await shortenAckWait();
  const sent = events(3_000);
  const published = Promise.all(
    Array.from({ length: 16 }, async (_, worker) => {
      for (let at = worker; at < sent.length; at += 16) await publishSurely(sent[at] ?? testEvent());
    }),
  );
  for (const share of [500, 1_500]) {
    await poll(() => handled.length > share).toBe(true);
    await nats.kill();
    await nats.start();
  }
  await published;
  // Events and acks in transit when the server died are redelivered after the ack wait.
  await expect.poll(() => new Set(ids(handled)).size, { timeout: 90_000 }).toBe(sent.length);
});

test("events are republished after NATS lost its store", async () => {
  const { handled } = consume(testEventHandler());
  await nats.kill();
  await expect(bus.publish(testEvent())).rejects.toThrow();
  expect(bus.isUp).toBe(false);
  await expect(bus.check()).rejects.toThrow("not connected");
  await nats.start({ isStoreKept: false });
  const event = testEvent();
  await publishSurely(event);
  await poll(() => ids(handled)).toEqual([event.id]);
  await expect(bus.check()).resolves.toBeUndefined();
});

test("a start without NATS succeeds, and connects when NATS appears", async () => {
  await nats.kill();
  const late = await open();
  const { handled } = consume(testEventHandler(), late);
  expect(late.isUp).toBe(false);
  await nats.start();
  await poll(() => late.isUp).toBe(true);
  const event = testEvent();
  await late.publish(event).catch(() => publishSurely(event));
  await poll(() => ids(handled)).toContain(event.id);
  await consumptions.pop()?.stop();
  await late.close();
});

test("an event that cannot be handled does not block others and is redelivered", async () => {
  const sent = events(60);
  const consumer = testEventHandler();
  const [bad] = sent;
  consumer.refused.add(bad?.id ?? "");
  await publishAll(sent);
  consume(consumer);
  await poll(() => consumer.handled.length).toBe(59);
  consumer.refused.clear();
  await poll(() => ids(consumer.handled)).toEqual(ids(sent));
});

test("while the handler is not ready nothing is pulled; everything is delivered afterwards", {
  timeout: 240_000,
}, async () => {
  const consumer = consume(testEventHandler());
  await bus.publish(testEvent());
  await poll(() => consumer.handled.length).toBe(1);
  await shortenAckWait();
  consumer.isDown = true;
  const [readiness, sent, handledBy] = [vi.spyOn(consumer, "ready"), events(300), new Date()];
  await publishAll(sent);
  const publishedBy = new Date();
  await poll(() => readiness.mock.calls.length).toBeGreaterThan(5);
  await poll(async () => (await jsm.consumers.info(streamName, consumerName)).num_waiting).toBe(0);
  // At most two calls: of the first event, and of the one that detected that the handler is down.
  expect(consumer.calls).toBeLessThanOrEqual(2);
  const ackedUpTo = await bus.ackedUpTo();
  expect(ackedUpTo >= handledBy && ackedUpTo < publishedBy).toBe(true);
  consumer.isDown = false;
  // Events in transit when pulling stopped are redelivered after the ack wait, and late acks cause a second delivery.
  const room = { timeout: 90_000 };
  await expect.poll(() => new Set(ids(consumer.handled)).size, room).toBe(301);
  await expect.poll(async () => (await bus.ackedUpTo()) > publishedBy, room).toBe(true);
});

test("an unreadable message becomes a dead letter unchanged and does not block others", async () => {
  const consumer = consume(testEventHandler());
  const [good, unknown, other] = [testEvent(), testEvent({ type: "planet.discovered" }), testEvent()];
  const publishRaw = (event: BusEvent | undefined, payload: string | Uint8Array) => {
    const head = headers();
    for (const [name, value] of event === undefined ? [] : buildHeaders(event)) head.set(name, value);
    return operator.jetstream().publish("ems.v1.evt.x.y.z", payload, { headers: head });
  };
  const broken = Buffer.from([0x7b, 0xff, 0xfe, 0x00]);
  await publishRaw(undefined, "hello");
  await publishRaw(unknown, unknown.body);
  await publishRaw(testEvent(), broken);
  await publishRaw({ ...testEvent(), isJson: true }, broken);
  await publishRaw({ ...testEvent(), isJson: true }, "{");
  await publishRaw(testEvent(), "");
  await publishRaw(other, testEvent().body);
  // Catalog publishes an event that only identity may publish, and one for another application.
  for (const type of ["api_key.deleted", "topic.created"])
    await bus.publish(testEvent({ type, subject: buildSubject("catalog", type, newId()) }));
  await bus.publish(good);
  await poll(() => ids(consumer.handled)).toEqual([good.id]);
  await poll(() => consumer.deadLetters.length).toBe(9);
  expect(consumer.deadLetters.map(({ reason }) => reason).sort()).toEqual([
    "body and headers differ",
    "body and headers differ",
    "catalog does not publish api_key.deleted",
    "no event id",
    "not JSON",
    "not UTF-8",
    "not an Event",
    "subject and headers differ",
    "unknown type",
  ]);
  const named = consumer.deadLetters.find(({ reason }) => reason === "unknown type");
  expect(named).toMatchObject({ id: unknown.id, applicationId: unknown.applicationId, subject: "ems.v1.evt.x.y.z" });
  expect(consumer.deadLetters.find(({ reason }) => reason === "not UTF-8")?.payload).toEqual(broken);
  await poll(pending).toBe(0);
});

test("JSON that an older version left in the stream is read as before, and is the same event in binary", async () => {
  const consumer = consume(testEventHandler());
  const sent = jsonEvents();
  await publishAll(sent);
  await poll(() => ids(consumer.handled)).toEqual(ids(sent));
  expect(consumer.deadLetters).toEqual([]);
  for (const { id, type, body } of sent) {
    const received = consumer.handled.find((event) => event.id === id) as ReceivedEvent;
    expect(Buffer.from(webhookJson(received))).toEqual(body);
    expect(readEvent(received.message)).toEqual(received.content);
    expect([received.content.id, findType(received.content)]).toEqual([id, type]);
  }
});

test("several consumers share the events", async () => {
  const other = await open();
  const consumers: TestEventHandler[] = [consume(testEventHandler()), consume(testEventHandler(), other)];
  const sent = events(2_000);
  await publishAll(sent);
  await poll(() => consumers.reduce((sum, { handled }) => sum + handled.length, 0)).toBe(2_000);
  expect(ids(consumers.flatMap(({ handled }) => handled))).toEqual(ids(sent));
  for (const consumption of consumptions.splice(0)) await consumption.stop();
  await other.close();
});

test("a stopped subscription finishes its batch and leaves the rest to the next", async () => {
  const sent = events(1_000);
  const [first, second] = [consume(testEventHandler()), testEventHandler()];
  await publishAll(sent);
  await consumptions.pop()?.stop();
  consume(second);
  await poll(() => new Set(ids([...first.handled, ...second.handled])).size).toBe(1_000);
  expect(first.handled.length + second.handled.length).toBe(1_000);
});

test("a listener gets only events of its type, at once and also after a reconnect", async () => {
  const heard: string[] = [];
  bus.listen("api_key.deleted", ({ id }) => heard.push(id));
  const [first, second] = [testEvent({ type: "api_key.deleted" }), testEvent({ type: "api_key.deleted" })];
  await publishAll([testEvent(), first]);
  await poll(() => heard).toEqual([first.id]);
  await nats.kill();
  await nats.start();
  await poll(() => bus.isUp).toBe(true);
  await publishSurely(second);
  await poll(() => heard).toEqual([first.id, second.id]);
});
