import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { productSql } from "../harness/product-sql.ts";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const newTask = async (title: string) =>
  (await api.post("/v0/tasks", { title, description: "d" })).body.task.id as string;
const put = (client: typeof api, path: string, json: object) => client.send("PUT", path, { json });
const nightly = { cron: "0 3 * * *", timezone: "Europe/Copenhagen", criticality: "HIGH" };

test("a task's schedule is put, read without a wrapper, included in the task and deleted", async () => {
  const id = await newTask("scheduled");
  const made = await put(api, `/v0/tasks/${id}/schedule`, nightly);
  expect(made).toMatchObject({ status: 200, body: { ...nightly, taskId: id, lastRunAt: null } });
  expect(Date.parse(made.body.nextRunAt)).toBeGreaterThan(Date.now());
  expect((await api.get(`/v0/tasks/${id}/schedule`)).body).toEqual(made.body);
  expect((await api.get(`/v0/tasks/${id}`)).body.task.taskSchedule).toEqual(made.body);
  const listed = await api.get("/v0/tasks?scheduleCriticality=HIGH,LOW");
  expect(listed.body.data).toMatchObject([{ id, taskSchedule: made.body }]);
  expect((await api.get("/v0/tasks?scheduleCriticality=MEDIUM")).body.data).toEqual([]);

  expect((await put(api, `/v0/tasks/${id}`, { title: "renamed" })).body.task.taskSchedule).toEqual(made.body);
  expect((await put(api, `/v0/tasks/${id}/schedule`, { cron: "@weekly", criticality: "LOW" })).body).toMatchObject({
    cron: "@weekly",
    timezone: "UTC",
    criticality: "LOW",
  });
  expect((await api.post(`/v0/tasks/${id}/archive`)).status).toBe(204);
  const resting = { cron: "@weekly", nextRunAt: null };
  expect((await api.get(`/v0/tasks/${id}`)).body.task.taskSchedule).toMatchObject(resting);
  expect((await api.get(`/v0/tasks/${id}/schedule`)).body).toMatchObject(resting);
  expect((await api.delete(`/v0/tasks/${id}/schedule`)).status).toBe(204);
  expect((await api.get(`/v0/tasks/${id}`)).body.task.taskSchedule).toBeNull();
  for (const call of [api.get, api.delete]) expect((await call(`/v0/tasks/${id}/schedule`)).status).toBe(404);
});

test("what no schedule can be is refused by its field; another tenant's task is not found", async () => {
  const id = await newTask("unscheduled");
  for (const [change, field] of [
    [{ cron: "*/10 * * * *" }, "cron"],
    [{ cron: "0 3 30 2 *" }, "cron"],
    [{ cron: "nightly" }, "cron"],
    [{ timezone: "Middle-earth/Bree" }, "timezone"],
    [{ criticality: "URGENT" }, "criticality"],
  ] as const) {
    const refused = await put(api, `/v0/tasks/${id}/schedule`, { ...nightly, ...change });
    expect([change, refused.status, refused.body.issues?.[0]?.path]).toEqual([change, 400, [field]]);
  }
  const other = await newTenant();
  for (const [client, task] of [
    [other.api, id],
    [api, newId()],
  ] as const) {
    expect(await put(client, `/v0/tasks/${task}/schedule`, nightly)).toMatchObject({
      status: 404,
      body: { message: "Task not found" },
    });
  }
  expect((await api.get(`/v0/tasks/${id}`)).body.task.taskSchedule).toBeNull();
});

const dueSince = (id: string, minutes: number) =>
  productSql("UPDATE evaluation.task_schedule SET next_run_at = now() - make_interval(mins => $2) WHERE task_id = $1", [
    ...[id, minutes],
  ]);
const readRuns = async (id: string) => (await api.get(`/v0/runs?taskId=${id}`)).body.data;
const schedule = async (id: string) => (await api.get(`/v0/tasks/${id}/schedule`)).body;
const nextIsLater = (id: string) =>
  expect.poll(async () => Date.parse((await schedule(id)).nextRunAt ?? 0)).toBeGreaterThan(Date.now());

test("a time that has come is one run of the task, and so is an outage of days", async () => {
  const ids = [await newTask("on time"), await newTask("after an outage")];
  for (const [at, id] of ids.entries()) {
    await put(api, `/v0/tasks/${id}/schedule`, nightly);
    await dueSince(id, at === 0 ? 1 : 5 * 24 * 60);
  }
  for (const id of ids) {
    await expect.poll(async () => (await schedule(id)).lastRunAt).not.toBeNull();
    await nextIsLater(id);
    expect(await readRuns(id)).toMatchObject([{ type: "SCHEDULED", progress: { total: 1 } }]);
  }
});

test("an archived task is not run; restored it has its next time, and no run for what it missed", async () => {
  const id = await newTask("resting");
  await put(api, `/v0/tasks/${id}/schedule`, nightly);
  await api.post(`/v0/tasks/${id}/archive`);
  await dueSince(id, 1);
  const nextSql = "SELECT next_run_at > now() AS later FROM evaluation.task_schedule WHERE task_id = $1";
  await expect.poll(() => productSql(nextSql, [id])).toEqual([{ later: true }]);
  expect(await schedule(id)).toMatchObject({ lastRunAt: null, nextRunAt: null });
  expect((await put(api, `/v0/tasks/${id}`, { status: "ACTIVE" })).status).toBe(200);
  await nextIsLater(id);
  expect(await readRuns(id)).toEqual([]);
});
