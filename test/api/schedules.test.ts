import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const newTask = async (title: string) =>
  (await api.post("/v0/tasks", { title, description: "d" })).body.task.id as string;
const put = (client: typeof api, path: string, json: object) => client.send("PUT", path, { json });
const nightly = { cron: "0 3 * * *", timezone: "Europe/Copenhagen", criticality: "HIGH" };

test("a task's schedule is put, read without a wrapper, shown by the task and deleted", async () => {
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
  expect((await api.get(`/v0/tasks/${id}`)).body.task.taskSchedule).toMatchObject({ cron: "@weekly", nextRunAt: null });
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
