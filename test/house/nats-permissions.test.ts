// The NATS permissions in deploy/guides/nats.md are sufficient and minimal.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { examine } from "@ems/cli/doctor/examine";
import { cliThat } from "@ems/cli/test/ems";
import { meshUsers, natsConfiguration, natsUsers, userName } from "@ems/deploy/nats-users";
import type { EventBus } from "@ems/kit/events/bus";
import { openNatsBus, openNatsListener, openNatsPublisher } from "@ems/kit/events/nats/bus";
import type { NatsPermissions } from "@ems/kit/events/nats/permissions";
import { consumerName, streamName } from "@ems/kit/events/nats/topology";
import { capturedLog, testEvent, testEventHandler } from "@ems/test-support";
import { testNatsOperator } from "@ems/test-support/nats-operator";
import { connect, credsAuthenticator, type JetStreamManager, type NatsConnection } from "nats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sample } from "../harness/sample.ts";

const nats = await testNatsOperator();
const { url, caFile } = nats;
type User = (typeof meshUsers)[number];
type Documented = Readonly<Record<User, NatsPermissions>>;
const documented = permissionsIn(readFileSync(join(import.meta.dirname, "../../deploy/guides/nats.md"), "utf8"));

/** Connection without restrictions. */
let operator: NatsConnection;
let jsm: JetStreamManager;

beforeAll(async () => {
  const authenticator = credsAuthenticator(readFileSync(await nats.credentials()));
  operator = await connect({ servers: new URL(url).host, authenticator, tls: { caFile } });
  jsm = await operator.jetstreamManager();
});
afterAll(() => operator.close());

/** Reads the permissions of each process from the table. */
function permissionsIn(readme: string): Documented {
  const rows = [...readme.matchAll(/^\| ([a-z, ]+?) +\| (publish|subscribe) +\| `([^`]+)` /gm)];
  const of = (user: User, kind: string) =>
    rows
      .filter(([, processes = "", may]) => may === kind && processes.split(", ").includes(user))
      .map(([, , , subject = ""]) => subject.replaceAll("<service>", user));
  const all = meshUsers.map((user) => [user, { publish: of(user, "publish"), subscribe: of(user, "subscribe") }]);
  // The result has an entry for every user.
  return Object.fromEntries(all) as Documented;
}

interface Walk {
  /** True if no operation was refused. */
  readonly isWhole: boolean;
  /** The log, and the reason of an early end. */
  readonly output: string;
}

/** Does everything that the processes do with NATS, with those permissions; stops at the first refusal. */
async function walk(permissions: Documented): Promise<Walk> {
  const { log, text } = capturedLog();
  const ends: (() => Promise<unknown>)[] = [];
  const until: Until = (look) =>
    expect.poll(async () => refusal.test(text()) || (await look()), { timeout: 60_000, interval: 10 }).toBeTruthy();
  const opened = async <Bus extends { close(): Promise<void> }>(opening: Promise<Bus>) => {
    const bus = await opening;
    ends.push(() => bus.close());
    return bus;
  };
  const files = new Map<User, string>();
  for (const user of meshUsers) files.set(user, await nats.credentials(permissions[user]));
  const getOptions = (user: User) => ({ url, caFile, credentialsFile: files.get(user), name: userName(user), log });
  try {
    const openTaker = () => opened(openNatsBus({ ...getOptions("notifications"), replicas: 1 }));
    const consumerBus = await openTaker();
    const publishers = {
      identity: await opened(openNatsPublisher(getOptions("identity"))),
      catalog: await opened(openNatsPublisher(getOptions("catalog"))),
      experiments: await opened(openNatsPublisher(getOptions("experiments"))),
      evaluation: await opened(openNatsPublisher(getOptions("evaluation"))),
    };
    await exchange(consumerBus, publishers, await opened(openNatsListener(getOptions("gateway"))), until);
    await makeOlder();
    await bringUpToDate(await openTaker(), until);
    const doctor = await askDoctor(files.get("notifications") ?? "");
    return { isWhole: doctor?.status === "ok", output: `${text()}${doctor?.detail}` };
  } catch (error) {
    return { isWhole: false, output: `${text()}${error}` };
  } finally {
    for (const end of ends) await end();
    await jsm.streams.delete(streamName).catch(() => undefined);
  }
}

type Until = (look: () => unknown) => Promise<void>;

/** Publishes events of every service, receives and handles them, and requests the acknowledged position. */
async function exchange(
  bus: EventBus,
  publishers: Readonly<Record<"identity" | "catalog" | "experiments" | "evaluation", EventBus>>,
  listener: Pick<EventBus, "listen">,
  until: Until,
): Promise<void> {
  await until(() => bus.isUp);
  const heard: string[] = [];
  listener.listen("api_key.deleted", ({ id }) => heard.push(id));
  const consumer = testEventHandler();
  const consumption = bus.consume(consumer);
  const publish = async (from: EventBus, type: string) => {
    const event = testEvent({ type });
    await until(() =>
      from.publish(event).then(
        () => true,
        () => false,
      ),
    );
  };
  try {
    await until(async () => {
      await publish(publishers.identity, "api_key.deleted");
      return heard.length > 0;
    });
    await publish(publishers.catalog, "topic.created");
    await publish(publishers.experiments, "experiment.created");
    await publish(publishers.evaluation, "budget.reached");
    await publish(bus, "webhook.updated");
    await until(() => new Set(consumer.handled.map(({ type }) => type)).size === 5);
    const before = consumer.handled.length;
    consumer.isDown = true;
    await publish(bus, "webhook.updated");
    await bus.ackedUpTo();
    consumer.isDown = false;
    await until(() => consumer.handled.length > before);
  } finally {
    await consumption.stop();
  }
}

/** Replaces the stream and the consumer by those of an older version of the product. */
async function makeOlder(): Promise<void> {
  const { config: stream } = await jsm.streams.info(streamName);
  await jsm.streams.update(streamName, { ...stream, description: "EMS events, configuration 0" });
  const { config: consumer } = await jsm.consumers.info(streamName, consumerName);
  const description = "EMS notifications, configuration 0";
  await jsm.consumers.update(streamName, consumerName, { ...consumer, description });
}

async function bringUpToDate(bus: EventBus, until: Until): Promise<void> {
  const consumption = bus.consume(testEventHandler());
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
  const cli = cliThat(() => undefined, env);
  const found = await examine(cli, { baseUrl: "http://127.0.0.1:1", apiKey: undefined, applicationId: undefined });
  return found.find(({ name }) => name === "NATS");
}

/** Matches a log line or error about a subject without permission. */
const refusal = /Permissions Violation for \w+ to |"operation":"\w+","subject":/;

test("with the documented permissions all works, and nothing is refused", async () => {
  const { isWhole, output } = await walk(documented);
  expect(output).not.toMatch(refusal);
  expect(isWhole, output).toBe(true);
});

/** Users that have no event types yet. */
const silent: readonly User[] = ["traces"];
const speaking = meshUsers.filter((user) => !silent.includes(user));
const each = speaking.flatMap((user) =>
  (["publish", "subscribe"] as const).flatMap((kind) =>
    documented[user][kind].map((subject) => [user, kind, subject] as const),
  ),
);

test.each(sample(each, 4))("%s: unless it may %s %s something is refused, and said", async (user, kind, removed) => {
  const left = documented[user][kind].filter((subject) => subject !== removed);
  const { output } = await walk({ ...documented, [user]: { ...documented[user], [kind]: left } });
  expect(output).toMatch(refusal);
});

test("the users of the launcher and of compose may do what is documented, and no more", async () => {
  expect(documented).toEqual(Object.fromEntries(meshUsers.map((user) => [user, natsUsers[user]])));
  const written = natsConfiguration(meshUsers, (user) => `$NATS_${user.toUpperCase()}_PASSWORD`);
  expect(readFileSync(join(import.meta.dirname, "../../deploy/compose.nats.conf"), "utf8")).toContain(written);
});

test("ems doctor names the setting with which NATS refuses the connection", async () => {
  expect(await askDoctor(await nats.foreignCredentials())).toMatchObject({
    status: "failure",
    detail: "NATS_CREDENTIALS_FILE: 'Authorization Violation'",
  });
  expect(await askDoctor("/nowhere/ems.creds")).toMatchObject({
    status: "failure",
    detail: "NATS_CREDENTIALS_FILE cannot be read (ENOENT)",
  });
});
