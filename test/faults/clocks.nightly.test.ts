// The clock of each process in turn an hour ahead and an hour behind, for ten seconds and permanently, under load: the others keep
// serving, the product answers within five seconds after the clock is right, nothing is lost, and no schedule runs twice.

import { setTimeout as delay } from "node:timers/promises";
import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FakedClock, type FakedClocks, fakedClocks } from "../harness/faked-clock.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriter, type WebhookWriter } from "../harness/writer.ts";
import { broken, undelivered } from "./invariants.ts";
import { type Load, startLoad } from "./load.ts";
import { type ScheduledTasks, scheduledTasks } from "./scheduled-tasks.ts";

const hourS = 3_600;
const briefMs = 10_000;
/** Maximum time until the product answers after the clock is right. */
const recoveryMs = 5_000;
/** A read that each process answers without another service. */
const reads: Readonly<Record<ProcessName, string>> = {
  gateway: "/v0/tags",
  identity: "/v0/app-config",
  catalog: "/v0/tags",
  traces: "/v0/ingest-settings",
  experiments: "/v0/runs",
  evaluation: "/v0/model-connections",
  reporting: "/v0/reporting/datasources/test/columns",
  notifications: "/v0/webhook/deliveries",
};

let clocks: FakedClocks;
const clockByProcess = new Map<ProcessName | "postgres", FakedClock>();
let receiver: EventReceiver;
let mesh: FaultMesh;
beforeAll(async () => {
  clocks = await fakedClocks();
  for (const name of [...processNames, "postgres" as const]) clockByProcess.set(name, await clocks.add(name));
  receiver = await startEventReceiver();
  mesh = await startFaultMesh({ ...receiver.env, ...unlimited }, 1, {
    ownEnv: (name) => ({ ...clockByProcess.get(name)?.env }),
    postgresEnv: { ...clockByProcess.get("postgres")?.env },
  });
}, 300_000);
afterAll(async () => {
  await mesh?.close();
  await receiver?.close();
  await clocks?.remove();
});

const set = async (name: ProcessName | "postgres", seconds: number) => clockByProcess.get(name)?.set(seconds);

/** The process's probe: its status, and the reason if it is not ready. */
async function readiness(name: ProcessName): Promise<string> {
  const answer = await fetch(`${mesh.adminUrl(name)}/readyz`, { signal: AbortSignal.timeout(5_000) });
  const { reason = "ready" } = (await answer.json()) as { reason?: string };
  return `${answer.status} ${reason}`;
}

async function status(writer: WebhookWriter, name: ProcessName): Promise<number> {
  const answer = await writer.send("GET", reads[name]);
  await answer.body?.cancel();
  return answer.status;
}

const skewed = (seconds: number) =>
  new RegExp(`^503 clock_skew: the clock of this process is (3599|3600) s ${seconds > 0 ? "ahead of" : "behind"} `);

/** The process refuses work: not ready, 503 with `Retry-After`, and its metric has the offset; all others answer. */
async function expectRefusal(writer: WebhookWriter, name: ProcessName, seconds: number): Promise<void> {
  await expect.poll(() => readiness(name), { timeout: recoveryMs }).toMatch(skewed(seconds));
  const refused = await writer.send("GET", reads[name]);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  const metrics = await (await fetch(`${mesh.adminUrl(name)}/metrics`)).text();
  const skewS = Number(/^ems_clock_skew_seconds (\S+)$/m.exec(metrics)?.[1]);
  expect(Math.abs(skewS - seconds)).toBeLessThan(1);
  const remaining = processNames.filter((other) => other !== name);
  if (name !== "gateway") {
    const served = remaining.filter((other) => other !== "gateway");
    const statuses = await Promise.all(served.map((other) => status(writer, other)));
    expect(Object.fromEntries(served.map((other, at) => [other, statuses[at]]))).toEqual(
      Object.fromEntries(served.map((other) => [other, 200])),
    );
  }
  expect(await Promise.all(remaining.map(readiness))).toEqual(remaining.map(() => "200 ready"));
}

/** Milliseconds from the correction of the clock until every route is answered and every process is ready. */
async function correct(writer: WebhookWriter, name: ProcessName | "postgres"): Promise<number> {
  await set(name, 0);
  const startMs = performance.now();
  const everything = async () => {
    const answered = await Promise.all(processNames.map((process) => status(writer, process)));
    const ready = await Promise.all(processNames.map(readiness));
    return answered.every((code) => code === 200) && ready.every((state) => state === "200 ready");
  };
  await expect.poll(everything, { timeout: 4 * recoveryMs, interval: 50 }).toBe(true);
  return performance.now() - startMs;
}

async function expectNothingLost(writer: WebhookWriter, load: Load): Promise<void> {
  const { sql } = mesh;
  const { applicationId } = writer;
  // A receiver's certificate is not yet valid by a clock that is behind: the second attempt would be in five minutes.
  const left = async () => {
    await sql("UPDATE notifications.delivery SET next_attempt_at = now() WHERE next_attempt_at > now()");
    return undelivered({ sql, applicationId });
  };
  await expect.poll(left, { timeout: 90_000, interval: 200 }).toBe(0);
  const received = receiver.getIds(applicationId, "topic.created");
  const { acknowledged, refused } = load;
  expect(mesh.crashes).toEqual([]);
  expect(await broken({ sql, applicationId, acknowledged, refused, received })).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(0);
}

interface Ground {
  readonly writer: WebhookWriter;
  readonly load: Load;
  readonly schedules: ScheduledTasks;
}

async function begin(): Promise<Ground> {
  const writer = await newWriter(mesh, receiver.url);
  const schedules = await scheduledTasks(mesh, writer, 3);
  const load = startLoad(writer, 2);
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(20);
  return { writer, load, schedules };
}

async function end({ writer, load, schedules }: Ground): Promise<void> {
  const before = load.acknowledged.size;
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(before + 20);
  await load.stop();
  await expectNothingLost(writer, load);
  // Due schedules ran once; those due only by the wrong clock did not run.
  await expect.poll(() => schedules.due(), { timeout: 150_000, interval: 500 }).toBe(0);
  expect(await schedules.runs()).toEqual({ due: [1, 1, 1], later: [0, 0, 0] });
}

const cases = processNames.flatMap((name) => [hourS, -hourS].map((seconds) => ({ name, seconds })));

describe("for ten seconds", () => {
  test.each(cases)(
    "$name is off by $seconds s, and right again",
    { timeout: 300_000, retry: 0 },
    async ({ name, seconds }) => {
      const ground = await begin();
      await set(name, seconds);
      const startMs = performance.now();
      await ground.schedules.makeDue();
      await expectRefusal(ground.writer, name, seconds);
      await delay(Math.max(0, briefMs - (performance.now() - startMs)));
      const tookMs = await correct(ground.writer, name);
      console.info(`${name} ${seconds} s off for ten seconds: everything answered ${Math.round(tookMs)} ms after`);
      expect(tookMs).toBeLessThan(recoveryMs);
      await end(ground);
    },
  );

  test.each([hourS, -hourS])(
    "PostgreSQL is off by %d s, and right again",
    { timeout: 300_000, retry: 0 },
    async (seconds) => {
      const ground = await begin();
      await set("postgres", seconds);
      // Its time is the reference: all other processes are off by the same amount in the other direction.
      for (const name of processNames)
        await expect.poll(() => readiness(name), { timeout: recoveryMs }).toMatch(skewed(-seconds));
      await delay(briefMs);
      const tookMs = await correct(ground.writer, "postgres");
      console.info(`PostgreSQL ${seconds} s off for ten seconds: everything answered ${Math.round(tookMs)} ms after`);
      expect(tookMs).toBeLessThan(recoveryMs);
      await ground.schedules.makeDue();
      await end(ground);
    },
  );
});

describe("for good", () => {
  test.each(cases.filter((_, at) => at % 2 === (at >> 1) % 2))(
    "$name is off by $seconds s until it is started again with a clock that is right",
    { timeout: 300_000, retry: 0 },
    async ({ name, seconds }) => {
      const ground = await begin();
      await set(name, seconds);
      await ground.schedules.makeDue();
      await expectRefusal(ground.writer, name, seconds);
      // Longer than the reuse of tokens and the lifetime of cached keys.
      await delay(30_000);
      await expectRefusal(ground.writer, name, seconds);
      await mesh.kill(name);
      await set(name, 0);
      await mesh.restart(name);
      expect(await correct(ground.writer, name)).toBeLessThan(recoveryMs);
      await end(ground);
    },
  );
});
