import { testEventHandler, testNats } from "@ems/test-support";
import { connect } from "nats";
import { afterAll, afterEach, expect, test } from "vitest";
import { createLog } from "../../log.ts";
import { openNatsBus } from "./bus.ts";
import { consumerName, streamName } from "./topology.ts";

const log = createLog("test", "silent");
const nats = await testNats();
const open = () => openNatsBus({ url: nats.url, name: "test", log, replicas: 1 });

/** The operator's connection. */
const operator = await connect({ servers: new URL(nats.url).host, user: "ems", pass: "only-in-tests" });
const jsm = await operator.jetstreamManager();
afterAll(() => operator.close());
afterEach(async () => void (await jsm.streams.delete(streamName)));

test("stream and consumer get their settings even if many processes create them together", async () => {
  const buses = await Promise.all([open(), open(), open()]);
  const consumptions = buses.map((bus) => bus.consume(testEventHandler()));
  const minutes = (count: number) => count * 60 * 1e9;
  expect((await jsm.streams.info(streamName)).config).toMatchObject({
    subjects: ["ems.v1.evt.>"],
    storage: "file",
    retention: "limits",
    discard: "new",
    max_age: minutes(7 * 24 * 60),
    max_bytes: 10 * 1024 ** 3,
    max_msg_size: 768 * 1024,
    duplicate_window: minutes(10),
    num_replicas: 1,
  });
  const consumer = () => jsm.consumers.info(streamName, consumerName).catch(() => undefined);
  await expect
    .poll(async () => (await consumer())?.config, { timeout: 60_000 })
    .toMatchObject({
      ack_policy: "explicit",
      ack_wait: minutes(0.5),
      max_ack_pending: 256,
      max_deliver: 20,
      deliver_policy: "all",
    });
  for (const consumption of consumptions) await consumption.stop();
  for (const each of buses) await each.close();
});

test("a stream with wrong settings is refused, and all differences are reported", async () => {
  await jsm.streams.add({ name: streamName, subjects: ["ems.v1.evt.>"], max_age: 1e9 * 3600 });
  await expect(open()).rejects.toThrow(
    /stream EMS_EVENTS: discard is "old", not "new";.*max_age is 3600000000000, not/,
  );
});

test("settings of an older version are updated, those of a newer one are left unchanged", async () => {
  await (await open()).close();
  const { config } = await jsm.streams.info(streamName);
  const change = { ...config, max_age: 1e9 * 86_400 };
  await jsm.streams.update(streamName, { ...change, description: "EMS events, configuration 0" });
  await (await open()).close();
  expect((await jsm.streams.info(streamName)).config).toMatchObject({
    max_age: config.max_age,
    description: config.description,
  });
  await jsm.streams.update(streamName, { ...change, description: "EMS events, configuration 99" });
  await (await open()).close();
  expect((await jsm.streams.info(streamName)).config.max_age).toBe(change.max_age);
});
