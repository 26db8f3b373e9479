import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const taskId = (await api.post("/v0/tasks", { title: "t", description: "Ask for the fee" })).body.task.id as string;
const trigger = (json: object, headers = {}) => api.send("POST", "/v0/tasks/trigger", { json, headers });

describe("POST /v0/tasks/trigger", () => {
  test("starts a run, whose path it answers and which is there", async () => {
    const { status, headers, body } = await trigger({ taskIds: [taskId], repeat: 2 });
    expect([status, body]).toEqual([204, undefined]);
    const path = headers.get("location") ?? "";
    expect(path).toMatch(/^\/v0\/runs\/[0-9a-f-]{36}$/);
    const { run } = (await api.get(path)).body;
    expect(run).toMatchObject({ type: "MANUAL", progress: { total: 2 } });
    const { data } = (await api.get(`/v0/tests?runId=${run.id}`)).body;
    expect(data).toMatchObject([{ prompt: "Ask for the fee" }, { prompt: "Ask for the fee" }]);
  });

  test("a repeat with the same Idempotency-Key starts nothing more, and answers the same path", async () => {
    const key = { "idempotency-key": newId() };
    const [first, replayed] = [await trigger({ taskIds: [taskId] }, key), await trigger({ taskIds: [taskId] }, key)];
    expect(replayed.status).toBe(204);
    expect(replayed.headers.get("location")).toBe(first.headers.get("location"));
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
  });

  test("faults are reported at their fields", async () => {
    const archived = (await api.post("/v0/tasks", { title: "t", description: "d" })).body.task.id as string;
    await api.post(`/v0/tasks/${archived}/archive`);
    const issues = async (json: object) => {
      const { status, body } = await trigger(json);
      return [status, ...body.issues.map(({ path }: { path: string[] }) => path.join("."))];
    };
    expect(await issues({})).toEqual([400, "taskIds"]);
    expect(await issues({ taskIds: ["x"], repeat: 21 })).toEqual([400, "taskIds.0", "repeat"]);
    expect(await issues({ taskIds: [taskId, archived] })).toEqual([400, "taskIds.1"]);
    expect(await trigger({ taskIds: [taskId, newId()] })).toMatchObject({
      status: 404,
      body: { message: "Task not found" },
    });
  });
});

test("POST /v0/evals/rerun wants ids or a filter, and takes nothing unknown", async () => {
  expect((await api.post("/v0/evals/rerun", {})).status).toBe(400);
  expect((await api.post("/v0/evals/rerun", { ids: [newId()], runId: newId() })).status).toBe(400);
  expect(await api.post("/v0/evals/rerun", { ids: [newId()] })).toMatchObject({
    status: 200,
    body: { count: 0, remaining: 0 },
  });
});
