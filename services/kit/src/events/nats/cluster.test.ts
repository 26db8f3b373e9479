// A cluster of three servers: no event is lost when the stream's leader is killed under load.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { testEvent, testEventHandler } from "@ems/test-support";
import { loopbackHost } from "@ems/test-support/loopback";
import { connect } from "nats";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createLog } from "../../log.ts";
import type { EventBus } from "../bus.ts";
import { openNatsBus } from "./bus.ts";
import { streamName } from "./topology.ts";

const [user, password] = ["ems", "only-in-tests"];
const names = ["nats-0", "nats-1", "nats-2"];
/** Fixed cluster ports. No other test uses this address, and the system assigns no ports this low. */
const ports = [16_222, 16_223, 16_224];
const servers = new Map<string, NatsServer>();
let directory: string;
let start: (name: string, port?: number) => Promise<void>;

beforeAll(async () => {
  directory = await temporaryDir("ems-test-nats-cluster-");
  start = async (serverName, port) => {
    const cluster = { serverName, port: ports[names.indexOf(serverName)] ?? 0, ports };
    const dir = join(directory, serverName);
    const options = { binary: inject("natsServer"), dir, host: loopbackHost, user, password, cluster };
    servers.set(serverName, await startNatsServer(port === undefined ? options : { ...options, port }));
  };
  await Promise.all(names.map((name) => start(name)));
});
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  await rm(directory, { recursive: true, force: true });
});

/** Opens the bus at once, while the servers still form the cluster. */
function openBus(): Promise<EventBus> {
  const url = [...servers.values()].map((server) => server.url).join(",");
  return openNatsBus({ url, name: "test", log: createLog("test", "silent"), replicas: 3 });
}

/** Name of the server that leads the stream; undefined if there is none. */
async function namedLeader(): Promise<string | undefined> {
  const hosts = [...servers.values()].map(({ port }) => `${loopbackHost}:${port}`);
  const connection = await connect({ servers: hosts, user, pass: password });
  try {
    const { config, cluster } = await (await connection.jetstreamManager()).streams.info(streamName);
    expect(config.num_replicas).toBe(3);
    return cluster?.leader;
  } finally {
    await connection.close();
  }
}

/** Waits for a leader of the stream and returns its name. */
async function leader(): Promise<string> {
  let name: string | undefined;
  const look = async () => {
    name = await namedLeader();
    return name;
  };
  await expect.poll(look, { timeout: 60_000 }).toBeOneOf(names);
  return name ?? "";
}

test("after the leader is killed under load, stored events are delivered and publishing continues", async () => {
  const bus = await openBus();
  const consumer = testEventHandler();
  const consumption = bus.consume(consumer);
  const stored = new Set<string>();
  let isStopping = false;
  /** Publishes each event until it is stored, as a relay does. */
  const publisher = async () => {
    while (!isStopping) {
      const event = testEvent();
      while (!stored.has(event.id)) {
        await bus.publish(event).then(
          () => stored.add(event.id),
          () => delay(50),
        );
      }
    }
  };
  const publishers = Promise.all(Array.from({ length: 8 }, publisher));
  const more = async (count: number) => {
    const expected = stored.size + count;
    await expect.poll(() => stored.size, { timeout: 60_000, interval: 10 }).toBeGreaterThan(expected);
  };
  await more(200);
  const name = await leader();
  const killed = servers.get(name);
  if (killed === undefined) throw new Error(`there is no ${name}`);
  process.kill(killed.pid, "SIGKILL");
  await killed.exited;
  await more(200);
  expect(await leader()).not.toBe(name);
  await start(name, killed.port);
  await more(200);
  isStopping = true;
  await publishers;

  const missing = () => {
    const handled = new Set(consumer.handled.map(({ id }) => id));
    return [...stored].filter((id) => !handled.has(id)).length;
  };
  await expect.poll(missing, { timeout: 90_000, interval: 50 }).toBe(0);
  await consumption.stop();
  await bus.close();
}, 300_000);
