// NATS is unavailable for longer than a test waits for its trace: tests whose prompts were sent end without it; those
// of a run that starts meanwhile wait, and end as expected once it is available.

import { setTimeout as delay } from "node:timers/promises";
import { loopbackHost } from "@ems/test-support/loopback";
import { type ModelServer, modelServer } from "@ems/test-support/model-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventReceiver, startEventReceiver } from "../harness/event-receiver.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { unlimited } from "../harness/unlimited.ts";
import { newWriterWithoutWebhook } from "../harness/writer.ts";
import { Application, type TraceSink } from "../loop/application.ts";
import { expectedReport, reported } from "../loop/compare.ts";
import { expectedTest } from "../loop/reference.ts";
import { call, prepare, readTests, trigger } from "../loop/tenant.ts";
import { inexactSums } from "./sums.ts";

const testsOfRun = 28;
/** The same ratio as 20 minutes to the default of 15. */
const timeoutMs = Number(process.env.NATS_AWAY_TRACE_TIMEOUT_MS ?? 60_000);
const awayMs = (timeoutMs * 4) / 3;
const endsWithinMs = timeoutMs + 120_000;

let mesh: FaultMesh;
let receiver: EventReceiver;
let models: ModelServer;
beforeAll(async () => {
  receiver = await startEventReceiver();
  models = await modelServer({ host: loopbackHost });
  mesh = await startFaultMesh({
    ...unlimited,
    ...receiver.env,
    RECONCILE_MS: "1000",
    TRACE_TIMEOUT_MS: String(timeoutMs),
    SETTLE_ROOT_MS: "1000",
    MODEL_ALLOW_CIDRS: `${loopbackHost}/32`,
  });
});
afterAll(async () => {
  await mesh?.close();
  await receiver.close();
  await models.close();
});

test("tests in flight end while NATS is away, and those of a new run when it is back", {
  timeout: 3 * endsWithinMs,
}, async () => {
  const { apiKey, applicationId } = await newWriterWithoutWebhook(mesh);
  const sink: TraceSink = { baseUrl: mesh.baseUrl, apiKey, applicationId };
  const application = new Application(sink, { slowMs: 3_000 });
  const endpoint = await receiver.another("loop.ems.test");
  endpoint.behave(application.reply);
  const connection = { provider: "openai", baseUrl: models.url } as const;
  const { taskIds, typesById } = await prepare(sink, endpoint.url, testsOfRun, connection);
  const completed = async (runId: string) =>
    Number((await call(sink, "GET", `/v0/runs/${runId}`)).run.progress.completed);
  const unsent = async () => {
    const rows = await mesh.sql<{ count: number }>(
      `SELECT count(*)::int FROM experiments.outbox WHERE application_id = $1 AND type = 'prompt.requested' AND published_at IS NULL`,
      [applicationId],
    );
    return rows[0]?.count;
  };

  const first = await trigger(sink, taskIds);
  await expect.poll(unsent, { timeout: 30_000 }).toBe(0);
  await mesh.killNats();
  const awaySince = Date.now();
  expect(await completed(first)).toBeLessThan(testsOfRun);
  const second = await trigger(sink, taskIds);
  await expect.poll(() => completed(first), { timeout: endsWithinMs, interval: 1_000 }).toBe(testsOfRun);
  await delay(Math.max(0, awaySince + awayMs - Date.now()));
  expect(await completed(second)).toBe(0);

  await mesh.restartNats();
  await expect.poll(() => completed(second), { timeout: endsWithinMs, interval: 1_000 }).toBe(testsOfRun);
  await application.sent();
  const wrong: unknown[] = [];
  for (const found of [...(await readTests(sink, first)), ...(await readTests(sink, second))]) {
    const [actual, expected] = [reported(found, typesById), expectedReport(expectedTest(found.prompt, true))];
    if (JSON.stringify(actual) !== JSON.stringify(expected)) wrong.push({ prompt: found.prompt, actual, expected });
  }
  expect(wrong).toEqual([]);
  expect(application.faults).toEqual([]);
  expect(await inexactSums(mesh, applicationId)).toEqual([]);
  application.stop();
});
