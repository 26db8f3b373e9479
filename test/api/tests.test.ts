import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { notJudgedHere } from "../harness/judged.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const other = await newTenant();
const getIssues = (body: { issues: { path: string[]; code: string }[] }) =>
  Object.fromEntries(body.issues.map(({ path, code }) => [path.join("."), code]));

const newTask = async (by = api, topicId?: string) =>
  (await by.post("/v0/tasks", { title: "t", description: "d", topicId })).body.task.id as string;
const newDefinition = async (type = "FACT", by = api) =>
  (await by.post("/v0/definitions", { type, name: "n" })).body.data.id as string;
const topicId: string = (await api.post("/v0/topics", { title: "Cards" })).body.data.id;
const [taskId, ofTopic, definitionId] = [await newTask(), await newTask(api, topicId), await newDefinition()];
const record = (body: object) => api.post("/v0/tests/results", body);
const total = async (query = "") => (await api.get(`/v0/tests?${query}`)).body.pagination.total as number;

describe("POST /v0/tests/results", () => {
  test("records tests with their evaluations as a new run, and answers it with the tests' ids", async () => {
    const naturalness = await newDefinition("NATURALNESS");
    const results = { name: "n", analysis: "Fine", clarity: 1.5, nested: [{ a: null }, 2], "": "" };
    const { status, body } = await record({
      run: { type: "MONITORING", title: "Production" },
      tests: [
        {
          taskId: ofTopic,
          score: 0.75,
          passed: false,
          durationMs: 1200,
          evaluations: [{ definitionId: naturalness, score: 1, passed: true, message: "Short", results }],
        },
        { taskId },
      ],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      run: {
        id: expect.any(String),
        orgId,
        applicationId,
        type: "MONITORING",
        status: "COMPLETED",
        title: "Production",
        name: "Production",
        version: null,
        commit: null,
        notes: null,
        experimentVariantId: null,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
      },
      count: 2,
      evaluationCount: 1,
      testIds: [expect.any(String), expect.any(String)],
    });
    const { createdAt } = body.run;
    const same = { orgId, applicationId, runId: body.run.id, runType: "MONITORING", status: "COMPLETED" };
    const times = { createdAt, modifiedAt: createdAt };
    const [first, second] = body.testIds;
    expect((await api.get(`/v0/tests/${first}`)).body).toEqual({
      test: {
        id: first,
        ...same,
        ...times,
        taskId: ofTopic,
        topicId,
        score: 0.75,
        passed: false,
        durationMs: 1200,
        traceId: null,
        prompt: null,
        message: null,
        waitingFor: null,
        scoreOutOfScale: null,
        task: { id: ofTopic, title: "t", topicId },
        outcome: "FAILED",
        errorCause: null,
        usage: null,
        result: { averageScore: 0, failed: 0, passed: 1, passRate: 1, total: 1 },
        summary: { passed: 1, failed: 0, errored: 0, none: 0, passRate: 1, averageScore: 0 },
        evals: [
          {
            id: expect.any(String),
            orgId,
            definitionId: naturalness,
            status: "COMPLETED",
            score: 1,
            passed: true,
            testId: first,
            taskId: ofTopic,
            traceId: null,
            message: "Short",
            results,
            ...times,
            ...notJudgedHere,
            definition: (await api.get(`/v0/definitions/${naturalness}`)).body.data,
          },
        ],
      },
    });
    const bare = {
      ...same,
      ...times,
      taskId,
      topicId: null,
      score: null,
      passed: null,
      durationMs: null,
      prompt: null,
      message: null,
      waitingFor: null,
      scoreOutOfScale: null,
      outcome: "NONE",
      errorCause: null,
      usage: null,
      summary: { passed: 0, failed: 0, errored: 0, none: 0, passRate: null, averageScore: null },
    };
    const empty = { id: second, ...bare, traceId: null, task: { id: taskId, title: "t" }, evals: [] };
    expect((await api.get(`/v0/tests/${second}`)).body).toEqual({ test: empty });
    expect((await api.get(`/v0/tests?runId=${body.run.id}&taskId=${taskId}`)).body.data).toEqual([empty]);
    const trace = { type: "trace", testId: first };
    expect((await api.post("/v0/ingest", { events: [trace] })).body.data).toMatchObject([{ success: true }]);
    const [traced] = (await api.get(`/v0/evals?testId=${first}`)).body.data;
    expect((await api.get(`/v0/tests/${first}`)).body.test).toMatchObject({ traceId: traced.traceId, evals: [traced] });
    expect(traced.traceId).toEqual(expect.any(String));
    expect(await total(`topicId=${topicId}`)).toBe(1);
  });

  test("adds tests to a run that is there", async () => {
    const { run } = (await record({ tests: [{ taskId, status: "IN_PROGRESS" }] })).body;
    expect(run).toMatchObject({ type: "MANUAL", status: "IN_PROGRESS", title: null });
    const { body } = await record({ runId: run.id, tests: [{ taskId }] });
    expect(body.run).toEqual({ ...run, modifiedAt: expect.any(String) });
    expect(await total(`runId=${run.id}`)).toBe(2);
  });

  test("a repeat with the same Idempotency-Key records nothing more", async () => {
    const [before, headers] = [await total(), { "idempotency-key": newId() }];
    const send = () => api.send("POST", "/v0/tests/results", { json: { tests: [{ taskId }] }, headers });
    expect((await send()).body).toEqual((await send()).body);
    expect(await total()).toBe(before + 1);
  });

  test("takes 1000 tests, and 50 evaluations of one", async () => {
    const many = await record({ tests: Array(1000).fill({ taskId: ofTopic, passed: true }) });
    expect([many.status, many.body.count]).toEqual([201, 1000]);
    const evaluations = Array(50).fill({ definitionId, score: 0.5 });
    expect((await record({ tests: [{ taskId, evaluations }] })).body).toMatchObject({ evaluationCount: 50 });
    const over = { tests: Array(1001).fill({ taskId, evaluations: [...evaluations, ...evaluations.slice(0, 1)] }) };
    expect((await record({ tests: over.tests.slice(0, 1) })).body.issues).toMatchObject([
      { code: "too_big", path: ["tests", "0", "evaluations"] },
    ]);
    expect((await record({ tests: Array(1001).fill({ taskId }) })).body.issues).toMatchObject([
      { code: "too_big", path: ["tests"] },
    ]);
  });

  test("an id that names nothing of the application is not found, and nothing is recorded", async () => {
    const before = await total();
    const [theirTask, theirDefinition] = [await newTask(other.api), await newDefinition("FACT", other.api)];
    const theirRun = (await other.api.post("/v0/tests/results", { tests: [{ taskId: theirTask }] })).body.run.id;
    for (const [body, message] of [
      [{ tests: [{ taskId }, { taskId: theirTask }] }, "Task not found"],
      [{ tests: [{ taskId, evaluations: [{ definitionId: theirDefinition }] }] }, "Evaluation definition not found"],
      [{ runId: theirRun, tests: [{ taskId }] }, "Run not found"],
      [{ runId: newId(), tests: [{ taskId }] }, "Run not found"],
    ] as const)
      expect(await record(body)).toMatchObject({ status: 404, body: { message } });
    expect(await total()).toBe(before);
  });

  test("refuses a score outside its definition's scale with the score's path, and records nothing", async () => {
    const naturalness = await newDefinition("NATURALNESS");
    const before = await total();
    const evaluations = [
      { definitionId: naturalness, score: 3 },
      { definitionId: naturalness, score: 0.8 },
    ];
    const { status, body } = await record({ tests: [{ taskId }, { taskId, evaluations }] });
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([
      {
        path: ["tests", "1", "evaluations", "1", "score"],
        message: "Must be from 1 to 5, the scale of NATURALNESS",
      },
    ]);
    expect(await total()).toBe(before);
  });

  test("lists every fault of a body at once", async () => {
    const { status, body } = await record({
      runId: "1",
      run: { type: "NIGHTLY", title: "", status: "COMPLETED" },
      tests: [
        { taskId: "x", score: 1e9 + 1, passed: "yes", durationMs: -1, createdAt: "yesterday" },
        { status: "DONE", durationMs: 0.5, evaluations: [{ definitionId: newId(), score: -1e9 - 1 }, {}] },
      ],
    });
    expect(status).toBe(400);
    expect(getIssues(body)).toEqual({
      runId: "invalid_string",
      "run.type": "invalid_enum_value",
      "run.title": "too_small",
      "run.status": "unrecognized_keys",
      "tests.0.taskId": "invalid_string",
      "tests.0.score": "too_big",
      "tests.0.passed": "invalid_type",
      "tests.0.durationMs": "too_small",
      "tests.0.createdAt": "invalid_string",
      "tests.1.taskId": "invalid_type",
      "tests.1.status": "invalid_enum_value",
      "tests.1.durationMs": "invalid_type",
      "tests.1.evaluations.0.score": "too_small",
      "tests.1.evaluations.1.definitionId": "invalid_type",
    });
    expect(getIssues((await record({})).body)).toEqual({ tests: "invalid_type" });
    expect(getIssues((await record({ runId: newId(), run: {}, tests: [{ taskId }] })).body)).toEqual({ run: "custom" });
  });

  test("results of the past are taken from the last two years, and none of the future", async () => {
    const years = (count: number, ms: number) => {
      const time = new Date(Date.now() + ms);
      time.setUTCFullYear(time.getUTCFullYear() - count);
      return time.toISOString();
    };
    const createdAt = years(2, 60_000);
    const { run } = (await record({ tests: [{ taskId, createdAt }, { taskId }] })).body;
    expect(run.createdAt).toBe(createdAt);
    expect((await api.get(`/v0/tests?runId=${run.id}&endDate=${createdAt}`)).body.data).toMatchObject([{ createdAt }]);
    const wrong = [{ taskId }, { taskId, createdAt: years(2, -60_000) }, { taskId, createdAt: years(0, 60_000) }];
    expect((await record({ tests: wrong })).body.issues).toEqual([
      { code: "custom", message: "Must be at most two years ago", path: ["tests", "1", "createdAt"] },
      { code: "custom", message: "Must not be in the future", path: ["tests", "2", "createdAt"] },
    ]);
  });
});

describe("GET /v0/tests", () => {
  test("pages are exact, and hold each test once", async () => {
    const all: string[] = [];
    const first = (await api.get("/v0/tests?limit=100")).body.pagination;
    for (let skip = 0; skip < first.total; skip += 100) {
      const { body } = await api.get(`/v0/tests?limit=100&skip=${skip}&orderBy=modifiedAt`);
      expect(body.pagination).toMatchObject({ total: first.total, totalCount: first.total });
      all.push(...body.data.map(({ id }: { id: string }) => id));
    }
    expect(new Set(all).size).toBe(first.total);
    expect(await total("status=COMPLETED")).toBe((await total()) - (await total("status=IN_PROGRESS,PENDING,FAILED")));
    expect(await total(`taskId=${taskId},${ofTopic}`)).toBe(await total());
    expect(await total(`evalDefinitionId=${definitionId}`)).toBe(1);
    expect(await total("runType=MONITORING")).toBe(2);
    const now = new Date(Date.now() - 3_600_000).toISOString();
    expect((await total(`startDate=${now}`)) + (await total(`endDate=${now}`))).toBe(await total());
  });

  test("dates may be as far away as dates can be", async () => {
    const [first, last] = ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];
    for (const list of ["tests", "runs"]) {
      const count = async (query: string) => (await api.get(`/v0/${list}?${query}`)).body.pagination.total;
      const all = await count("");
      expect(await count(`startDate=${first}&endDate=${last}`)).toBe(all);
      expect(await count(`startDate=${last}`)).toBe(0);
      expect(await count(`endDate=${first}`)).toBe(0);
      expect(await count(`startDate=${last}&endDate=${first}`)).toBe(0);
    }
    const refused = await record({ tests: [first, last].map((createdAt) => ({ taskId, createdAt })) });
    expect(refused.body.issues).toHaveLength(2);
  });

  test("lists every fault of a query at once", async () => {
    const { status, body } = await api.get("/v0/tests?skip=-1&orderBy=score&orderDir=up&runId=x&topicId=y&endDate=z");
    expect(status).toBe(400);
    expect(getIssues(body)).toEqual({
      skip: "too_small",
      orderBy: "invalid_enum_value",
      orderDir: "invalid_enum_value",
      "runId.0": "invalid_string",
      "topicId.0": "invalid_string",
      endDate: "invalid_string",
    });
  });

  test("a test that is not there is not found", async () => {
    expect(await api.get(`/v0/tests/${newId()}`)).toMatchObject({ status: 404, body: { message: "Test not found" } });
    expect((await api.get("/v0/tests/results")).status).toBe(400);
  });
});
