// Three servers that keep events together: the one that leads the stream is killed under load, and nothing is lost.

import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "nats";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { throwAwayDir } from "../../db/embedded/throw-away-dir.ts";
import { createLog } from "../../log.ts";
import { testConsumer, testEvent } from "../../testing/events.ts";
import type { EventBus } from "../bus.ts";
import { openNatsBus } from "./bus.ts";
import { type NatsServer, startNatsServer } from "./server.ts";
import { streamName } from "./topology.ts";

const [user, password] = ["ems", "only-in-tests"];
const names = ["nats-0", "nats-1", "nats-2"];
const servers = new Map<string, NatsServer>();
let directory: string;
let start: (name: string, port?: number) => Promise<void>;

beforeAll(async () => {
  directory = await throwAwayDir("ems-test-nats-cluster-");
  const ports = await Promise.all(names.map(freePort));
  start = async (serverName, port) => {
    const cluster = { serverName, port: ports[names.indexOf(serverName)] ?? 0, ports };
    const options = { binary: inject("natsServer"), dir: join(directory, serverName), user, password, cluster };
    servers.set(serverName, await startNatsServer(port === undefined ? options : { ...options, port }));
  };
  await Promise.all(names.map((name) => start(name)));
});
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  await rm(directory, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on a host and port, the address is never a pipe's name.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** At once, while the servers still find each other. */
function openBus(): Promise<EventBus> {
  const url = [...servers.values()].map((server) => server.url).join(",");
  return openNatsBus({ url, name: "test", log: createLog("test", "silent"), replicas: 3 });
}

/** Name of the server that leads the stream; undefined when none does. */
async function leader(): Promise<string | undefined> {
  const hosts = [...servers.values()].map(({ port }) => `127.0.0.1:${port}`);
  const connection = await connect({ servers: hosts, user, pass: password });
  try {
    const { config, cluster } = await (await connection.jetstreamManager()).streams.info(streamName);
    expect(config.num_replicas).toBe(3);
    return cluster?.leader;
  } finally {
    await connection.close();
  }
}

test("the leader is killed under load: what was stored comes, and events go on", async () => {
  const bus = await openBus();
  const consumer = testConsumer();
  const consumption = bus.consume(consumer);
  const stored = new Set<string>();
  let isStopping = false;
  /** As a relay does: each until it is stored. */
  const lane = async () => {
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
  const lanes = Promise.all(Array.from({ length: 8 }, lane));
  const more = async (count: number) => {
    const wanted = stored.size + count;
    await expect.poll(() => stored.size, { timeout: 30_000, interval: 10 }).toBeGreaterThan(wanted);
  };
  await more(200);
  const name = (await leader()) ?? "";
  const killed = servers.get(name);
  process.kill(killed?.pid ?? 0, "SIGKILL");
  await killed?.exited;
  await more(200);
  expect(await leader()).not.toBe(name);
  await start(name, killed?.port);
  await more(200);
  isStopping = true;
  await lanes;

  const missing = () => {
    const taken = new Set(consumer.taken.map(({ id }) => id));
    return [...stored].filter((id) => !taken.has(id)).length;
  };
  await expect.poll(missing, { timeout: 60_000, interval: 50 }).toBe(0);
  await consumption.stop();
  await bus.close();
}, 120_000);
