// Effects of a service that is lost, hangs or stops, and who is affected.

import { setTimeout as delay } from "node:timers/promises";
import type { ProcessName } from "@ems/deploy/mesh";
import { ownerRole } from "@ems/kit/db/schema";
import { newId } from "@ems/kit/id";
import grpc from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { sample } from "../harness/sample.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriter, type WebhookWriter } from "../harness/writer.ts";

/** Twice the default, since a slow machine has other work while a request waits. */
const deadlineMs = 20_000;

let receiver: EventReceiver;
let mesh: FaultMesh;
let writer: WebhookWriter;
beforeAll(async () => {
  receiver = await startEventReceiver();
  mesh = await startFaultMesh({
    ...receiver.env,
    ...unlimited,
    EVENT_LOOP_DELAY_MAX_MS: "10000",
    DEADLINE_MS: String(deadlineMs),
    // Keys expire fast, so that identity is called often and its absence matters.
    AUTH_FRESH_MS: "500",
    AUTH_HARD_MAX_MS: "1000",
  });
  writer = await newWriter(mesh, receiver.url);
});
afterAll(async () => {
  await mesh.close();
  await receiver.close();
});

type Service = Exclude<ProcessName, "gateway" | "evaluation">;

/** A read of each service that no other service takes part in. */
const routes: Readonly<Record<Service, () => Promise<Response>>> = {
  identity: () => writer.send("GET", "/v0/users"),
  catalog: () => writer.send("GET", "/v0/topics"),
  traces: () => writer.send("GET", "/v0/ingest-settings"),
  experiments: () => writer.send("GET", "/v0/experiments"),
  reporting: () => writer.send("POST", "/v0/reporting/query", { datasource: "topic", timezone: "UTC" }),
  notifications: () => writer.send("GET", "/v0/webhook"),
};
// Names of the table's rows.
const services = Object.keys(routes) as Service[];
interface TimedAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

async function timedRequest(service: Service): Promise<TimedAnswer> {
  const startedMs = performance.now();
  const answer = await routes[service]();
  await answer.body?.cancel();
  return {
    status: answer.status,
    retryAfter: answer.headers.get("retry-after"),
    ms: performance.now() - startedMs,
  };
}

const othersThan = (lost: Service) => services.filter((service) => service !== lost);

/** Retries until the service answers: delays of Retry-After add up to at most five seconds, even on a slow machine. */
async function recovers(service: Service): Promise<void> {
  for (let waitedSeconds = 0; ; ) {
    const { status, retryAfter } = await timedRequest(service);
    if (status === 200) return;
    waitedSeconds += Number(retryAfter);
    expect([status, waitedSeconds]).toEqual([503, expect.toSatisfy((seconds: number) => seconds <= 5)]);
    await delay(Number(retryAfter) * 1_000);
  }
}

test.each(sample(services, 6))(
  "%s killed: its routes are 503 at once, the others go on, and it recovers",
  async (lost) => {
    for (const service of services) await recovers(service);
    await mesh.kill(lost);
    for (let round = 0; round < 3; round += 1) {
      const { status, retryAfter, ms } = await timedRequest(lost);
      expect([status, Number(retryAfter)]).toEqual([503, expect.toSatisfy((seconds: number) => seconds >= 1)]);
      expect(ms).toBeLessThan(deadlineMs);
      for (const service of othersThan(lost))
        expect([service, (await timedRequest(service)).status]).toEqual([service, 200]);
    }
    await mesh.restart(lost);
    await recovers(lost);
  },
);

test("traces killed: tests, runs, results, reviews and reports are answered, and ingestion says when to try again", async () => {
  for (const service of services) await recovers(service);
  const [taskId, definitionId] = [newId(), newId()];
  await mesh.kill("traces");
  const readStatus = async (method: string, path: string, body?: object) => {
    const answer = await writer.send(method, path, body);
    await answer.body?.cancel();
    return [path, answer.status, answer.status === 503 && Number(answer.headers.get("retry-after")) >= 1];
  };
  const reads = ["tests", "runs", "evals", "issues", "annotations", "human-annotations", "tasks", "experiments"];
  for (const path of reads) expect(await readStatus("GET", `/v0/${path}`)).toEqual([`/v0/${path}`, 200, false]);
  for (const path of [`/v0/tests?taskId=${taskId}`, `/v0/evals?definitionId=${definitionId}`])
    expect(await readStatus("GET", path)).toEqual([path, 200, false]);
  const report = { datasource: "test", timezone: "UTC" };
  expect(await readStatus("POST", "/v0/reporting/query", report)).toEqual(["/v0/reporting/query", 200, false]);
  const events = { events: [{ type: "trace" }] };
  expect(await readStatus("POST", "/v0/ingest", events)).toEqual(["/v0/ingest", 503, true]);
  expect(await readStatus("GET", "/v0/traces")).toEqual(["/v0/traces", 503, true]);
  await mesh.restart("traces");
  await recovers("traces");
});

test.each(sample(["identity", "catalog"] as const, 2))(
  "%s hanging: its routes are 503 within the deadline and then at once, the others go on",
  async (lost) => {
    for (const service of services) await recovers(service);
    mesh.signal(lost, "SIGSTOP");
    const requests: Promise<void>[] = [];
    const answers: TimedAnswer[] = [];
    const disturbed: [Service, number][] = [];
    const isAtOnce = async () => {
      requests.push(timedRequest(lost).then((answer) => void answers.push(answer)));
      for (const service of othersThan(lost)) {
        const { status } = await timedRequest(service);
        if (status !== 200) disturbed.push([service, status]);
      }
      return answers.some(({ ms }) => ms < 500);
    };
    await expect.poll(isAtOnce, { timeout: 60_000, interval: 100 }).toBe(true);
    expect(disturbed).toEqual([]);
    for (const { status, ms } of answers) {
      expect(status).toBe(503);
      // On a busy machine an answer is late; without a deadline there would be none.
      expect(ms).toBeLessThan(2 * deadlineMs);
    }
    mesh.signal(lost, "SIGCONT");
    await Promise.all([recovers(lost), ...requests]);
    expect(mesh.crashes).toEqual([]);
  },
);

const HealthClient = grpc.makeClientConstructor(healthService, "grpc.health.v1.Health");

/** The service's answer to each kind of probe. */
async function probed(name: Service) {
  const client = new HealthClient(mesh.address(name), grpc.credentials.createInsecure());
  const checked = new Promise<string>((resolve) => {
    client.Check?.({ service: "" }, (error: grpc.ServiceError | null, answer?: { status: string }) =>
      resolve(answer?.status ?? String(error)),
    );
  });
  const status = async (path: string) => (await fetch(mesh.adminUrl(name) + path)).status;
  const [livez, readyz, health] = await Promise.all([status("/livez"), status("/readyz"), checked]);
  client.close();
  return { livez, readyz, health };
}
const soon = { timeout: 60_000, interval: 100 };
const ready = { livez: 200, readyz: 200, health: "SERVING" };
const unready = { livez: 200, readyz: 503, health: "NOT_SERVING" };

test("a service whose schema is too old is not ready until it is new enough, and lives on", async () => {
  await expect.poll(() => probed("catalog"), soon).toEqual(ready);
  const newest = "timestamp = (SELECT max(timestamp) FROM catalog.migration)";
  await mesh.sql(`UPDATE catalog.migration SET name = '-' || name WHERE ${newest}`);
  await expect.poll(() => probed("catalog"), soon).toEqual(unready);
  expect(await probed("identity")).toEqual(ready);
  await mesh.sql(`UPDATE catalog.migration SET name = ltrim(name, '-') WHERE ${newest}`);
  await expect.poll(() => probed("catalog"), soon).toEqual(ready);
});

test("without PostgreSQL services are not ready until it is back, and live on", async () => {
  await mesh.killPostgres();
  for (const service of services) await expect.poll(() => probed(service), soon).toEqual(unready);
  await mesh.restartPostgres();
  for (const service of services) await expect.poll(() => probed(service), soon).toEqual(ready);
  for (const service of services) await expect.poll(async () => (await timedRequest(service)).status, soon).toBe(200);
  expect(mesh.crashes).toEqual([]);
});

/** Sends a write that waits for a lock; returns once it waits. After the test, restarts the `stopping` processes. */
async function waitingWrite(...stopping: ProcessName[]) {
  const client = new pg.Client({ connectionString: mesh.installation.urlAs(ownerRole) });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    for (const name of stopping) {
      mesh.signal(name, "SIGTERM");
      await mesh.exited(name);
      await mesh.restart(name);
    }
    await recovers("catalog");
  });
  await client.query("BEGIN; LOCK TABLE catalog.topic IN ACCESS EXCLUSIVE MODE");
  const answer = writer.send("POST", "/v0/topics", { title: "In the middle" });
  const waiting = "SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted";
  await expect.poll(async () => (await client.query(waiting)).rows[0]?.count).toBeGreaterThan(0);
  return { answer, release: () => client.end() };
}

test("on SIGTERM, service and gateway finish running requests and exit with 0", async () => {
  await recovers("catalog");
  const { answer, release } = await waitingWrite("catalog", "gateway");
  mesh.signal("gateway", "SIGTERM");
  mesh.signal("catalog", "SIGTERM");
  // New requests are refused while the running one continues.
  await expect.poll(() => timedRequest("identity").catch(() => "refused")).toBe("refused");
  await release();
  expect((await answer).status).toBe(201);
  // After the total time limit, a process exits with 1.
  expect([await mesh.exited("gateway"), await mesh.exited("catalog")]).toEqual([0, 0]);
});

test("on a second SIGTERM, a process exits with 1 at once, and its caller gets 503", async () => {
  const { answer } = await waitingWrite("catalog");
  const stopping = () => mesh.output().split('"stopping"').length;
  const before = stopping();
  mesh.signal("catalog", "SIGTERM");
  await expect.poll(stopping).toBe(before + 1);
  mesh.signal("catalog", "SIGTERM");
  expect(await mesh.exited("catalog")).toBe(1);
  expect((await answer).status).toBe(503);
});
