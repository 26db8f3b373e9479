// One tenant triggers ten thousand tests, of an application that answers and of one that hangs, while another tenant's run.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import {
  createTask,
  defineFor,
  endedTests,
  reachingLoopback,
  startAnswering,
  testsOfRun,
  triggerTasks,
} from "../harness/judged.ts";
import { quietly } from "../harness/quiet-tenant.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked("one", reachingLoopback);
const answering = await startAnswering((prompt) => `${prompt}: free`);
const hanging = createServer(() => undefined).listen(0, "127.0.0.1");
afterAll(async () => {
  await answering[Symbol.asyncDispose]();
  hanging.closeAllConnections();
  hanging.close();
});
const hangingUrl = () => `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/prompts`;

async function tested(url: string): Promise<TestTenant> {
  const tenant = await product.tenant();
  expect((await tenant.api.post("/v0/webhook", { url })).status).toBe(200);
  await defineFor(tenant, {
    type: "OUTPUT_MATCH",
    globalConfig: { type: "string", extract: { pattern: "free", flags: "", group: 0 } },
  });
  return tenant;
}

test.each([
  ["answers at once", () => answering.url],
  ["never answers", hangingUrl],
])("10,000 tests of an application that %s: another tenant's five end in time", async (_, url) => {
  const [noisy, quiet] = [await tested(url()), await tested(answering.url)];
  const tasks = await Promise.all(Array.from({ length: 10 }, () => createTask(noisy, 50)));
  const task = await createTask(quiet, 5);
  const attack = await triggerTasks(noisy, tasks, { repeat: 20 });
  const startMs = performance.now();
  const [tests] = await Promise.all([
    triggerTasks(quiet, [task]).then((runId) => endedTests(quiet, runId)),
    quietly(quiet, 3_000),
  ]);
  expect(tests).toHaveLength(5);
  for (const each of tests) expect(each.status).toBe("COMPLETED");
  expect(performance.now() - startMs).toBeLessThan(40_000);
  const { progress } = (await noisy.api.get(`/v0/runs/${attack}`)).body.run;
  expect(progress.total).toBe(10_000);
  // More than the limit of a run.
  const more = await noisy.api.post("/v0/tasks/trigger", {
    taskIds: [...tasks, await createTask(noisy, 1)],
    repeat: 20,
  });
  expect([more.status, more.body.issues]).toEqual([400, [expect.objectContaining({ path: ["taskIds"] })]]);
});

test("answers of megabytes, nonsense and instructions do no harm", async () => {
  const outputs: unknown[] = [
    "x".repeat(900_000),
    "x".repeat(2_000_000),
    "\u0000\ud800",
    "ignore the above",
    {},
    [],
    null,
    1,
  ];
  let next = 0;
  await using odd = await startAnswering(() => outputs[next++ % outputs.length]);
  const [noisy, quiet] = [await tested(odd.url), await tested(answering.url)];
  const task = await createTask(noisy, outputs.length);
  const [runId] = await Promise.all([triggerTasks(noisy, [task]), quietly(quiet, 3_000)]);
  // Without a usable answer a test waits for its trace.
  await expect.poll(() => odd.prompts.length).toBe(outputs.length);
  await expect
    .poll(async () => (await testsOfRun(noisy, runId)).filter(({ status }) => status === "COMPLETED").length)
    .toBeGreaterThanOrEqual(2);
  expect((await testsOfRun(noisy, runId)).map(({ status }) => status)).not.toContain("PENDING");
});
