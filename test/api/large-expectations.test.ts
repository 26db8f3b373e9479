// Runs whose definitions expect long texts, of which each test has a copy.

import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const settings = { type: "OUTPUT_MATCH", globalConfig: { type: "list", matchMode: "exact_unordered" } };
const evalIds: string[] = [];
for (const name of ["First", "Second"])
  evalIds.push((await api.post("/v0/definitions", { name, ...settings })).body.data.id);
const taskIds: string[] = [];
for (let at = 0; at < 2; at++)
  taskIds.push((await api.post("/v0/tasks", { title: `Long ${at}`, description: "d" })).body.task.id);
/** Text with little repetition: PostgreSQL compresses long values. */
const getText = (seed: number) =>
  Array.from({ length: 1_000 }, (_, at) => ((seed + at * 7_919_777) % 1_000_003).toString(36).padStart(10, ".")).join(
    "",
  );
const expected = Array.from({ length: 95 }, (_, at) => getText(at * 31));
for (const evalId of evalIds) {
  const { status, body } = await api.post("/v0/definitions/link", { taskIds, evalIds: [evalId], config: { expected } });
  expect(status, JSON.stringify(body)?.slice(0, 300)).toBeLessThan(300);
}

const runs = async () => (await api.get("/v0/runs")).body.pagination.total;

test("tests with megabytes of expectations start, and a run of more than 16 MiB is refused and starts nothing", async () => {
  expect((await api.post("/v0/tasks/trigger", { taskIds })).status).toBe(204);
  const before = await runs();
  const message = "The tests' expected answers exceed 16 MiB in total: start fewer tests at a time";
  const { status, body } = await api.post("/v0/tasks/trigger", { taskIds: taskIds.slice(0, 1), repeat: 20 });
  expect([status, body.issues]).toMatchObject([400, [{ path: ["taskIds"], message }]]);
  expect(await runs()).toBe(before);
});
