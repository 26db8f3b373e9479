// What README.md says that a user of NATS must be allowed: it is enough, and nothing of it is too much.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventBus } from "@ems/kit/events/bus";
import { openNatsBus, openNatsListener } from "@ems/kit/events/nats/bus";
import { consumerName, streamName } from "@ems/kit/events/nats/topology";
import { capturedLog, testConsumer, testEvent } from "@ems/kit/testing";
import { type Permissions, testNatsOperator } from "@ems/kit/testing/nats-operator";
import { connect, credsAuthenticator, type JetStreamManager, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examine } from "./cli/doctor/examine.ts";

const nats = await testNatsOperator();
const { url, caFile } = nats;
const documented = permissionsIn(readFileSync(join(import.meta.dirname, "README.md"), "utf8"));

/** Whoever may do everything. */
let operator: NatsConnection;
let jsm: JetStreamManager;

beforeAll(async () => {
  const authenticator = credsAuthenticator(readFileSync(await nats.credentials()));
  operator = await connect({ servers: new URL(url).host, authenticator, tls: { caFile } });
  jsm = await operator.jetstreamManager();
});
afterAll(() => operator.close());

function permissionsIn(readme: string): Permissions {
  const rows = [...readme.matchAll(/^\| (publish|subscribe) +\| `([^`]+)` /gm)];
  const of = (kind: string) => rows.filter(([, may]) => may === kind).map(([, , subject = ""]) => subject);
  return { publish: of("publish"), subscribe: of("subscribe") };
}

interface Walk {
  /** Whether it came to its end. */
  readonly isWhole: boolean;
  /** What was logged, and why it ended before. */
  readonly said: string;
}

/** Everything that the product does with NATS, as a user with those permissions; goes no further when something is refused. */
async function walk(permissions: Permissions): Promise<Walk> {
  const credentialsFile = await nats.credentials(permissions);
  const { log, text } = capturedLog();
  const options = { url, caFile, credentialsFile, name: "test", replicas: 1, log };
  const ends: (() => Promise<unknown>)[] = [];
  const until: Until = (look) =>
    expect.poll(async () => refusal.test(text()) || (await look()), { timeout: 20_000, interval: 10 }).toBeTruthy();
  const opened = async <Bus extends { close(): Promise<void> }>(opening: Promise<Bus>) => {
    const bus = await opening;
    ends.push(() => bus.close());
    return bus;
  };
  try {
    await exchange(await opened(openNatsBus(options)), await opened(openNatsListener(options)), until);
    await makeOlder();
    await bringUpToDate(await opened(openNatsBus(options)), until);
    const doctor = await askDoctor(credentialsFile);
    return { isWhole: doctor?.status === "ok", said: `${text()}${doctor?.detail}` };
  } catch (error) {
    return { isWhole: false, said: `${text()}${error}` };
  } finally {
    for (const end of ends) await end();
    await jsm.streams.delete(streamName).catch(() => undefined);
  }
}

type Until = (look: () => unknown) => Promise<void>;

/** Events go out, are heard, taken in and asked for. */
async function exchange(bus: EventBus, listener: Pick<EventBus, "listen">, until: Until): Promise<void> {
  await until(() => bus.isUp);
  const heard: string[] = [];
  listener.listen("api_key.deleted", ({ id }) => heard.push(id));
  const consumer = testConsumer();
  const consumption = bus.consume(consumer);
  try {
    const event = testEvent({ type: "api_key.deleted" });
    await until(async () => {
      await bus.publish(event);
      return heard.length > 0;
    });
    await until(() => consumer.taken.length > 0);
    consumer.isDown = true;
    await bus.publish(testEvent());
    await bus.settledUntil();
    consumer.isDown = false;
    await until(() => consumer.taken.length > 1);
  } finally {
    await consumption.stop();
  }
}

/** Stream and consumer become those of an older version of the product. */
async function makeOlder(): Promise<void> {
  const { config: stream } = await jsm.streams.info(streamName);
  await jsm.streams.update(streamName, { ...stream, description: "EMS events, configuration 0" });
  const { config: consumer } = await jsm.consumers.info(streamName, consumerName);
  const description = "EMS notifications, configuration 0";
  await jsm.consumers.update(streamName, consumerName, { ...consumer, description });
}

async function bringUpToDate(bus: EventBus, until: Until): Promise<void> {
  const consumption = bus.consume(testConsumer());
  try {
    await until(async () => {
      const infos = [await jsm.streams.info(streamName), await jsm.consumers.info(streamName, consumerName)];
      return infos.every(({ config }) => config.description?.endsWith("configuration 1"));
    });
  } finally {
    await consumption.stop();
  }
}

async function askDoctor(credentialsFile: string) {
  const env = { NATS_URL: url, NATS_CREDENTIALS_FILE: credentialsFile, NATS_CA_FILE: caFile, DATA_DIR: "/nowhere" };
  const cli = { env, stopped: new AbortController().signal, out: () => undefined, say: () => undefined };
  const found = await examine(cli, { baseUrl: "http://127.0.0.1:1", apiKey: undefined, applicationId: undefined });
  return found.find(({ name }) => name === "NATS");
}

/** What the log, or the error that ended the walk, says of a subject that is not permitted. */
const refusal = /Permissions Violation for \w+ to |"operation":"\w+","subject":/;

test("with the documented permissions all works, and nothing is refused", async () => {
  const { isWhole, said } = await walk(documented);
  expect(said).not.toMatch(refusal);
  expect(isWhole, said).toBe(true);
});

test.each([...documented.publish, ...documented.subscribe])(
  "without %s something is refused, and said",
  async (one) => {
    const without = (subjects: readonly string[]) => subjects.filter((subject) => subject !== one);
    const { publish, subscribe } = documented;
    const { said } = await walk({ publish: without(publish), subscribe: without(subscribe) });
    expect(said).toMatch(refusal);
  },
);

test("ems doctor says by which setting NATS lets nobody in", async () => {
  expect(await askDoctor(await nats.foreignCredentials())).toMatchObject({
    status: "failure",
    detail: "NATS_CREDENTIALS_FILE: 'Authorization Violation'",
  });
  expect(await askDoctor("/nowhere/ems.creds")).toMatchObject({
    status: "failure",
    detail: "NATS_CREDENTIALS_FILE cannot be read (ENOENT)",
  });
});
