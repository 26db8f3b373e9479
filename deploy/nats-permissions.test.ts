// What README.md says that a user of NATS must be allowed: it is enough, and nothing of it is too much.

import { readFileSync } from "node:fs";
import { join } from "node:path";
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

/** Everything that the product does with NATS, as a user with those permissions; answers what was refused. */
async function walk(permissions: Permissions): Promise<string> {
  const credentialsFile = await nats.credentials(permissions);
  const { log, text } = capturedLog();
  const options = { url, caFile, credentialsFile, name: "test", replicas: 1, log };
  const isRefused = () => /Violation|violation|refused/.test(text());
  const until = (look: () => unknown) =>
    expect.poll(async () => isRefused() || (await look()), { timeout: 20_000, interval: 10 }).toBeTruthy();
  const ends: (() => Promise<unknown>)[] = [];
  const open = async () => {
    const bus = await openNatsBus(options);
    ends.push(() => bus.close());
    return bus;
  };
  try {
    const bus = await open();
    await until(() => bus.isUp);
    const consumer = testConsumer();
    ends.unshift(() => consumption.stop());
    let consumption = bus.consume(consumer);
    const listener = await openNatsListener(options);
    ends.push(() => listener.close());
    const heard: string[] = [];
    listener.listen("api_key.deleted", ({ id }) => heard.push(id));

    const event = testEvent({ type: "api_key.deleted" });
    await operator.flush();
    await until(async () => {
      if (heard.length === 0) await bus.publish(event);
      return heard.length > 0;
    });
    await until(() => consumer.taken.length > 0);
    consumer.isDown = true;
    await bus.publish(testEvent());
    await bus.settledUntil();
    consumer.isDown = false;
    await until(() => consumer.taken.length > 1);
    await consumption.stop();

    const { config: stream } = await jsm.streams.info(streamName);
    await jsm.streams.update(streamName, { ...stream, description: "EMS events, configuration 0" });
    const { config } = await jsm.consumers.info(streamName, consumerName);
    const description = "EMS notifications, configuration 0";
    await jsm.consumers.update(streamName, consumerName, { ...config, description });
    const newer = await open();
    consumption = newer.consume(consumer);
    await until(async () => (await jsm.consumers.info(streamName, consumerName)).config.description !== description);

    const env = { NATS_URL: url, NATS_CREDENTIALS_FILE: credentialsFile, NATS_CA_FILE: caFile, DATA_DIR: "/nowhere" };
    const cli = { env, stopped: new AbortController().signal, out: () => undefined, say: () => undefined };
    const found = await examine(cli, { baseUrl: "http://127.0.0.1:1", apiKey: undefined, applicationId: undefined });
    const doctor = found.find(({ name }) => name === "NATS");
    return doctor?.status === "ok" ? text() : `${text()}${doctor?.detail}`;
  } catch (error) {
    return `${text()}${error}`;
  } finally {
    for (const end of ends) await end();
    await jsm.streams.delete(streamName).catch(() => undefined);
  }
}

/** What the log, or the error that ended the walk, says of the subject in question. */
const refusal = /Permissions Violation for \w+ to |"operation":"\w+","subject":/;

test("with the documented permissions all works, and nothing is refused", async () => {
  expect(documented.publish.length * documented.subscribe.length).toBeGreaterThan(0);
  expect(await walk(documented)).not.toMatch(refusal);
});

test.each([...documented.publish, ...documented.subscribe])(
  "without %s something is refused, and said",
  async (one) => {
    const without = (subjects: readonly string[]) => subjects.filter((subject) => subject !== one);
    const { publish, subscribe } = documented;
    expect(await walk({ publish: without(publish), subscribe: without(subscribe) })).toMatch(refusal);
  },
);
