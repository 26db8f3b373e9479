// Faults without permitted effect: real processes killed under load, PostgreSQL and NATS lost, disconnected and hanging. After each,
// the invariants hold and the receiver got every event.

import { setTimeout as delay } from "node:timers/promises";
import { newId } from "@ems/kit/id";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Api } from "../harness/api.ts";
import { buildChanges, type Change } from "../harness/changes.ts";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriter, newWriterWithoutWebhook } from "../harness/writer.ts";
import { broken, undelivered } from "./invariants.ts";
import { type Load, startLoad } from "./load.ts";

let receiver: EventReceiver;
let mesh: FaultMesh;
beforeAll(async () => {
  receiver = await startEventReceiver();
  mesh = await startFaultMesh({
    ...receiver.env,
    RECONCILE_MS: "1000",
    ...unlimited,
  });
});
afterAll(async () => {
  await mesh.close();
  await receiver.close();
});

/** Writes acknowledged before a fault, between its beginning and its end, and after it. */
const writesEach = 40;

interface Fault {
  readonly name: string;
  /** Causes the fault. */
  begin(load: Load): Promise<void>;
  /** Ends the fault; if absent, the product recovers on its own. */
  end?(): Promise<void>;
  /** Advances retries that would come later than a test waits. */
  hasten?(): Promise<unknown>;
  /** True if writes continue during the fault. */
  readonly isWritable: boolean;
}

const kill = (name: Parameters<FaultMesh["kill"]>[0]): Fault => ({
  name: `${name} killed`,
  begin: () => mesh.kill(name),
  end: () => mesh.restart(name),
  // A cached key works for a minute without identity.
  isWritable: name === "notifications" || name === "identity",
});

const faults: readonly Fault[] = [
  kill("catalog"),
  kill("notifications"),
  kill("gateway"),
  kill("identity"),
  { name: "NATS killed", begin: () => mesh.killNats(), end: () => mesh.restartNats(), isWritable: true },
  {
    name: "NATS hanging",
    begin: async () => mesh.natsProxy.set("hang"),
    end: async () => mesh.natsProxy.set("pass"),
    isWritable: true,
  },
  {
    name: "the stream deleted",
    begin: () => mesh.deleteStream(),
    // Events lost with the stream are republished once they are overdue.
    end: async () => {
      await mesh.sql(`UPDATE catalog.outbox o SET published_at = published_at - interval '20 minutes'
        WHERE NOT EXISTS (SELECT FROM notifications.inbox i WHERE i.application_id = o.application_id AND i.event_id = o.id)`);
    },
    isWritable: true,
  },
  {
    name: "two notifications processes at once, one stopped",
    begin: async (load) => {
      const stop = await mesh.startAnother("notifications");
      await writes(load, writesEach);
      await stop();
    },
    isWritable: true,
  },
  { name: "NATS connections cut", begin: async () => mesh.natsProxy.disconnect(), isWritable: true },
  {
    name: "PostgreSQL killed",
    begin: () => mesh.killPostgres(),
    end: () => mesh.restartPostgres(),
    isWritable: false,
  },
  {
    name: "PostgreSQL connections cut again and again",
    begin: async (load) => {
      for (let cuts = 0; cuts < 10; cuts += 1) {
        await writes(load, 5);
        mesh.postgresProxy.disconnect();
      }
    },
    isWritable: true,
  },
  {
    name: "PostgreSQL hanging",
    begin: async () => mesh.postgresProxy.set("hang"),
    end: async () => mesh.postgresProxy.set("pass"),
    isWritable: false,
  },
  {
    name: "the receiver down",
    begin: async () => receiver.refuse(true),
    end: async () => receiver.refuse(false),
    // The third attempt would be in five minutes.
    hasten: () => mesh.sql("UPDATE notifications.delivery SET next_attempt_at = now() WHERE next_attempt_at > now()"),
    isWritable: true,
  },
];

test.each(faults)(
  "$name under load: no event is lost, none is delivered twice",
  async ({ begin, end, hasten, isWritable }) => {
    const writer = await newWriter(mesh, receiver.url);
    const load = startLoad(writer);
    await writes(load, writesEach);
    await begin(load);
    await (isWritable ? writes(load, writesEach) : failures(load));
    await end?.();
    await writes(load, writesEach);
    await load.stop();

    const { sql } = mesh;
    const { applicationId } = writer;
    const left = async () => {
      await hasten?.();
      return undelivered({ sql, applicationId });
    };
    await expect.poll(left, { timeout: 90_000, interval: 200 }).toBe(0);
    const received = receiver.getIds(applicationId, "topic.created");
    const { acknowledged, refused } = load;
    expect(mesh.crashes).toEqual([]);
    expect(await broken({ sql, applicationId, acknowledged, refused, received })).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual((isWritable ? 3 : 2) * writesEach);
  },
);

/** Experiments, their results, human judgments, issues and facts; running runs are killed in experiments.test.ts. */
const isOfJudging = ([, path]: Change) =>
  /^\/v0\/(experiments|tests|human-annotation|issues|facts|definitions\/[^/]+\/calibration)/.test(path) &&
  !/\/(run|stop|resume)$/.test(path);
const counts = [
  "experiments",
  "tests",
  "evals",
  "human-annotations",
  "human-annotation-queue-items",
  "issues",
  "facts",
];

test("each change under a key has one effect, though PostgreSQL's connections are cut while it is made", async () => {
  const tenant = async () => {
    const { apiKey, applicationId } = await newWriterWithoutWebhook(mesh, { email: "ada@example.com", name: "Ada" });
    return Api.open(mesh.baseUrl, applicationId, apiKey);
  };
  const [quiet, disturbed] = [await tenant(), await tenant()];
  const changes = [await buildChanges(quiet), await buildChanges(disturbed)] as const;
  const send = (api: Api, [method, path, json]: Change, key: string) =>
    api.send(method, path, { json, headers: { "idempotency-key": key } }).catch(() => undefined);
  for (const change of changes[0].filter(isOfJudging))
    expect((await send(quiet, change, newId()))?.status).toBeLessThan(300);
  for (const [at, change] of changes[1].filter(isOfJudging).entries()) {
    const key = newId();
    const sending = send(disturbed, change, key);
    // At a different moment of each.
    await delay((at % 5) * 4);
    mesh.postgresProxy.disconnect();
    await sending;
    await expect.poll(async () => (await send(disturbed, change, key))?.status, { interval: 100 }).toBeLessThan(300);
  }
  const totals = (api: Api) =>
    Promise.all(counts.map(async (list) => [list, (await api.get(`/v0/${list}`)).body.pagination.total]));
  expect(await totals(disturbed)).toEqual(await totals(quiet));
});

/** Waits until writes have failed. */
async function failures({ repeats }: Load): Promise<void> {
  const before = repeats();
  await expect.poll(repeats, { timeout: 60_000 }).toBeGreaterThan(before);
}

/** Waits for that many more acknowledged writes. */
async function writes({ acknowledged }: Load, count: number): Promise<void> {
  const expected = acknowledged.size + count;
  await expect.poll(() => acknowledged.size, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(expected);
}
