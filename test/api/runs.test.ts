import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const getIssues = (body: { issues: { path: string[]; code: string }[] }) =>
  Object.fromEntries(body.issues.map(({ path, code }) => [path.join("."), code]));

const newTask = async () => (await api.post("/v0/tasks", { title: "t", description: "d" })).body.task.id as string;
const newDefinition = async () =>
  (await api.post("/v0/definitions", { type: "FACT", name: "n" })).body.data.id as string;
const [taskA, taskB] = [await newTask(), await newTask()];
const [factual, unused] = [await newDefinition(), await newDefinition()];
const record = async (run: object, ...tests: object[]) =>
  (await api.post("/v0/tests/results", { run, tests })).body.run as Record<string, string>;
/** Returns the time that many minutes ago; the service's clock may also be in a new year. */
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe("GET /v0/runs", () => {
  const times = [ago(30), ago(20), ago(10)];
  let runs: Record<string, string>[] = [];
  beforeAll(async () => {
    const evaluations = [{ definitionId: factual }];
    runs = [
      await record({ title: "first" }, { taskId: taskA, createdAt: times[0], evaluations }),
      await record({ type: "SCHEDULED" }, { taskId: taskB, createdAt: times[1] }),
      await record({ type: "EXPERIMENT" }, { taskId: taskA, createdAt: times[2], status: "PENDING" }),
    ];
  });

  const found = async (query: string) => {
    const { body } = await api.get(`/v0/runs?orderDir=asc&${query}`);
    const at = body.data.map(({ id }: { id: string }) => runs.findIndex((run) => run.id === id));
    expect(body.pagination.total).toBe(at.length);
    return at;
  };

  test("lists runs as they were answered, newest first", async () => {
    const { body } = await api.get("/v0/runs");
    expect(body).toEqual({
      data: runs.toReversed().map((run) => expect.objectContaining(run)),
      pagination: { skip: 0, limit: 25, total: 3, totalPages: 1, totalCount: 3, nextCursor: null },
    });
    expect((await api.get("/v0/runs?skip=1&limit=1")).body).toMatchObject({
      data: [runs[1]],
      pagination: { skip: 1, limit: 1, total: 3, totalPages: 3, totalCount: 3, nextCursor: expect.any(String) },
    });
  });

  test("filters by what was tested, by type, status, definition and time, joined by AND", async () => {
    expect(await found(`taskId=${taskA}`)).toEqual([0, 2]);
    expect(await found(`taskId=${taskA},${taskB}`)).toEqual([0, 1, 2]);
    expect(await found(`taskId=${newId()}`)).toEqual([]);
    expect(await found("runType=SCHEDULED&runType=MANUAL")).toEqual([0, 1]);
    expect(await found("status=IN_PROGRESS")).toEqual([2]);
    expect(await found("status=COMPLETED,IN_PROGRESS&runType=EXPERIMENT")).toEqual([2]);
    expect(await found(`evalDefinitionId=${factual},${unused}`)).toEqual([0]);
    expect(await found(`evalDefinitionId=${unused}`)).toEqual([]);
    expect(await found(`startDate=${times[1]}&endDate=${times[2]}`)).toEqual([1, 2]);
    expect(await found(`endDate=${times[0]}`)).toEqual([0]);
    expect(await found("orderBy=type")).toEqual([2, 0, 1]);
  });

  test("lists every fault of a query at once", async () => {
    const query =
      "limit=101&orderBy=title&runType=NIGHTLY&status=DONE&taskId=x&evalDefinitionId=y&startDate=now&name=z";
    const { status, body } = await api.get(`/v0/runs?${query}`);
    expect(status).toBe(400);
    expect(getIssues(body)).toEqual({
      limit: "too_big",
      orderBy: "invalid_enum_value",
      "runType.0": "invalid_enum_value",
      "status.0": "invalid_enum_value",
      "taskId.0": "invalid_string",
      "evalDefinitionId.0": "invalid_string",
      startDate: "invalid_string",
      name: "unrecognized_keys",
    });
  });

  test("a run is read by its id, under `run`", async () => {
    const { status, body } = await api.get(`/v0/runs/${runs[0]?.id}`);
    expect([status, body]).toEqual([
      200,
      {
        run: {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          orgId,
          applicationId,
          type: "MANUAL",
          status: "COMPLETED",
          title: "first",
          name: "first",
          version: null,
          commit: null,
          notes: null,
          createdAt: times[0],
          modifiedAt: expect.any(String),
          experimentVariantId: null,
          progress: { completed: 1, total: 1 },
          summary: { passed: 0, failed: 0, errored: 0, none: 1, passRate: null, averageScore: null },
        },
      },
    ]);
    expect(await api.get(`/v0/runs/${newId()}`)).toMatchObject({ status: 404, body: { message: "Run not found" } });
    expect((await api.get("/v0/runs/1")).body.issues).toEqual([
      { code: "invalid_string", message: "Invalid UUID", path: ["id"] },
    ]);
  });
});

describe("GET /v0/runs/compare", () => {
  const noTasks = { application: 0, configuration: 0, judge: 0, none: 0 };

  test("two runs, by what they have in common", async () => {
    const evaluations = [{ definitionId: factual, passed: true, score: 1 }];
    const a = await record({}, { taskId: taskA, passed: false, score: 0 });
    const b = await record(
      {},
      { taskId: taskA, passed: true, score: 0.5, evaluations },
      { taskId: taskB, passed: true },
    );
    const { status, body } = await api.get(`/v0/runs/compare?a=${a.id}&b=${b.id}&detect=0.2`);
    expect(status).toBe(200);
    const { baseline, variant, difference, definitions, changedTasks } = body.data;
    expect(baseline).toMatchObject({
      tests: 1,
      passed: 0,
      failed: 1,
      errored: 0,
      uncounted: 0,
      cost: null,
      tokens: null,
    });
    expect(variant).toMatchObject({ tests: 2, passed: 2, passRate: { value: 1, high: 1 } });
    expect(difference).toEqual({
      passRate: { value: 1, low: null, high: null, p: null, adjustedP: null },
      averageScore: null,
      mcnemarP: 1,
      method: "paired",
      commonTasks: 1,
      verdict: "too_few_tasks",
      summary: "Not enough data: 1 common task, 10 needed.",
      smallestDetectable: null,
      tasksNeeded: null,
      notCompared: { baseline: noTasks, variant: noTasks, tasks: 0 },
    });
    expect(definitions).toMatchObject([
      {
        definition: { id: factual, name: "n", type: "FACT" },
        difference: { verdict: "too_few_tasks", commonTasks: 0 },
      },
    ]);
    expect(changedTasks).toMatchObject([
      {
        task: { id: taskA, title: "t" },
        baseline: { passed: false, score: null },
        variant: { passed: true, score: 1 },
      },
    ]);
  });

  test("refuses what is no run, no id, and no difference", async () => {
    const { id } = await record({}, { taskId: taskA });
    const compare = async (query: string) => await api.get(`/v0/runs/compare?${query}`);
    expect(await compare(`a=${id}&b=${newId()}`)).toMatchObject({ status: 404, body: { message: "Run not found" } });
    expect(getIssues((await compare(`a=${id}&b=1`)).body)).toEqual({ b: "invalid_string" });
    expect(getIssues((await compare(`a=${id}&b=${id}&detect=0`)).body)).toEqual({ detect: "too_small" });
    expect(getIssues((await compare(`a=${id}`)).body)).toEqual({ b: expect.any(String) });
  });
});
