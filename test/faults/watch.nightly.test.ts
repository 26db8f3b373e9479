// Watches while processes are killed and NATS is unavailable: a client that resumes gets every committed change once, in one order.

import { WatchStart } from "@ems/proto/notifications/v1/event_service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { follow, type WatchClient, watchClient } from "../harness/watcher.ts";
import { newWriterWithoutWebhook } from "../harness/writer.ts";
import { type Load, startLoad } from "./load.ts";

let mesh: FaultMesh;
beforeAll(async () => {
  mesh = await startFaultMesh({ ...unlimited, RECONCILE_MS: "1000", WATCH_RETRY_MS: "2000" });
});
afterAll(() => mesh.close());

/** Writes acknowledged before a fault, and after it. */
const writesEach = 40;

interface Fault {
  readonly name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** True if streams end because the log is unreadable for longer than a stream waits. */
  readonly endsStreams: boolean;
}

const kill = (name: "notifications" | "gateway"): Fault => ({
  name: `${name} killed`,
  begin: () => mesh.kill(name),
  end: () => mesh.restart(name),
  endsStreams: true,
});

const faults: readonly Fault[] = [
  kill("notifications"),
  kill("gateway"),
  { name: "NATS killed", begin: () => mesh.killNats(), end: () => mesh.restartNats(), endsStreams: false },
  {
    name: "PostgreSQL killed",
    begin: () => mesh.killPostgres(),
    end: () => mesh.restartPostgres(),
    endsStreams: true,
  },
];

test.each(faults)("$name during a watch: no gap, nothing twice", async ({ begin, end, endsStreams }) => {
  const writer = await newWriterWithoutWebhook(mesh);
  const clients = new Map<string, WatchClient>();
  const client = () => {
    const url = mesh.grpcUrl();
    const found = clients.get(url) ?? watchClient(url, writer.apiKey);
    clients.set(url, found);
    return found;
  };
  const start = WatchStart.EARLIEST;
  const types = ["topic.created"];
  const calm = follow({ client, start, types });
  const restless = follow({ client, start, types, messagesMax: () => 7 });
  const load = startLoad(writer);
  await acknowledged(load, writesEach);
  await begin();
  if (endsStreams) await expect.poll(calm.resumed).toBeGreaterThan(0);
  else await acknowledged(load, load.acknowledged.size + writesEach);
  await end();
  await acknowledged(load, load.acknowledged.size + writesEach);
  await load.stop();
  const events = await mesh.sql<{ id: string }>(
    "SELECT id FROM catalog.outbox WHERE application_id = $1 AND type = 'topic.created'",
    [writer.applicationId],
  );
  expect(events.length).toBe(load.acknowledged.size);
  const expected = events.map(({ id }) => id).sort();
  for (const { ids } of [calm, restless]) {
    await expect.poll(() => new Set(ids).size, { timeout: 120_000 }).toBe(expected.length);
    expect(ids.toSorted()).toEqual(expected);
  }
  expect(restless.ids).toEqual(calm.ids);
  for (const follower of [calm, restless]) await follower.stop();
  expect([calm.failure(), restless.failure()]).toEqual([undefined, undefined]);
  for (const each of clients.values()) each.close();
});

async function acknowledged(load: Load, count: number): Promise<void> {
  await expect.poll(() => load.acknowledged.size, { timeout: 120_000 }).toBeGreaterThanOrEqual(count);
}
