// Triggers without pause, with more tests than a run may have, and with tasks of another tenant.

import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { createTask, defineFor, triggerTasks } from "../harness/judged.ts";
import { quietly } from "../harness/quiet-tenant.ts";

const product = await startAttacked("one");

/** Without a webhook, so each test fails at once. */
async function tested() {
  const tenant = await product.tenant();
  await defineFor(tenant, {
    type: "OUTPUT_MATCH",
    globalConfig: { type: "string", extract: { pattern: "free", flags: "", group: 0 } },
  });
  return tenant;
}

test("10,000 tests at once are a run, one more is refused, and another tenant is answered meanwhile", async () => {
  const [noisy, quiet] = [await tested(), await tested()];
  const tasks = await Promise.all(Array.from({ length: 10 }, () => createTask(noisy, 50)));
  const task = await createTask(noisy, 1);
  const [runId] = await Promise.all([triggerTasks(noisy, tasks, { repeat: 20 }), quietly(quiet, 5_000)]);
  expect((await noisy.api.get(`/v0/runs/${runId}`)).body.run.progress.total).toBe(10_000);
  const more = await noisy.api.post("/v0/tasks/trigger", { taskIds: [...tasks, task], repeat: 20 });
  expect([more.status, more.body.issues]).toEqual([400, [expect.objectContaining({ path: ["taskIds"] })]]);
  expect((await noisy.api.get("/v0/runs")).body.pagination.total).toBe(1);
});

test("triggers without pause are limited, and each that is answered has its run", async () => {
  const noisy = await tested();
  const quiet = await tested();
  const task = await createTask(noisy, 1);
  const statuses: number[] = [];
  const flood = async () => {
    for (let at = 0; at < 50; at++)
      statuses.push((await noisy.api.post("/v0/tasks/trigger", { taskIds: [task] })).status);
  };
  await Promise.all([...Array.from({ length: 8 }, flood), quietly(quiet, 3_000)]);
  expect(statuses.filter((status) => status !== 204 && status !== 429)).toEqual([]);
  const runs = statuses.filter((status) => status === 204).length;
  // Wait until its own tokens are refilled.
  await expect.poll(async () => (await noisy.api.get("/v0/runs?limit=1")).body.pagination?.total).toBe(runs);
});

test("another tenant's task, or one that is not there, starts nothing", async () => {
  const [noisy, quiet] = [await tested(), await tested()];
  const [own, theirs] = [await createTask(noisy, 1), await createTask(quiet, 1)];
  for (const id of [theirs, newId()]) {
    expect((await noisy.api.post("/v0/tasks/trigger", { taskIds: [own, id] })).status).toBe(404);
  }
  expect((await noisy.api.get("/v0/runs")).body.data).toEqual([]);
  expect((await quiet.api.get("/v0/runs")).body.data).toEqual([]);
});
