import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { noResults } from "../harness/no-results.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const put = (path: string, json: unknown) => api.send("PUT", path, { json });
const words = { title: "Block a card", description: "The card was stolen." };
const taskNotFound = { status: 404, body: { message: "Task not found" } };
const topicNotFound = { status: 404, body: { message: "Topic not found" } };
const statusAndBody = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

describe("POST /v0/tasks", () => {
  test("creates a task, NORMAL and ACTIVE when nothing is said", async () => {
    const { status, body } = await api.post("/v0/tasks", words);
    expect(status).toBe(201);
    expect(body).toEqual({
      task: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        applicationId,
        orgId,
        topicId: null,
        ...words,
        type: "NORMAL",
        status: "ACTIVE",
        isVerified: false,
        prompts: [],
        inputExamples: [],
        examples: [],
        metadata: {},
        simulatedPromptSchema: null,
        parentId: null,
        traceId: null,
        taskSchedule: null,
        evalDefinitions: [],
        monitoring: noResults,
        synthetic: noResults,
        breakdown: null,
        monitoringPassRate: null,
        passRate: null,
        lastTest: null,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
      },
    });
    const breakdown = { monitoring: [], synthetic: [] };
    expect((await api.get(`/v0/tasks/${body.task.id}`)).body).toEqual({ task: { ...body.task, breakdown } });
  });

  test("a STATIC task has prompts, a NORMAL one may; both names of the list are taken and answered", async () => {
    const [prompts, other] = [["Hello", "And then?"], "prompts is an alias of inputExamples: send only one of them"];
    for (const type of ["STATIC", "NORMAL"]) {
      for (const request of [{ prompts }, { inputExamples: prompts }, { prompts, inputExamples: prompts }]) {
        const { task } = (await api.post("/v0/tasks", { ...words, type, status: "DRAFT", ...request })).body;
        expect(task).toMatchObject({ type, status: "DRAFT", prompts, inputExamples: prompts });
      }
    }
    for (const [wrong, message] of [
      [{ type: "STATIC" }, "A STATIC task requires at least one prompt"],
      [{ type: "STATIC", prompts: [], inputExamples: null }, "A STATIC task requires at least one prompt"],
      [{ prompts: ["a"], inputExamples: ["b"] }, other],
    ] as const) {
      const { status, body } = await api.post("/v0/tasks", { ...words, ...wrong });
      expect([status, body.issues]).toEqual([400, [{ code: "custom", message, path: ["prompts"] }]]);
    }
  });

  test("every field is returned as sent, and null means unset", async () => {
    const quickstartId = (await api.post("/v0/quickstarts", { title: "q" })).body.data.id;
    const metadata = { "": null, list: [1, "a", { b: 1e-7 }], "ключ 💶": -0.5, nested: { __proto__x: true } };
    const simulatedPromptSchema = { type: "object", required: ["a"], properties: { a: { type: "string" } } };
    const { status, body } = await api.post("/v0/tasks", { ...words, metadata, simulatedPromptSchema, quickstartId });
    expect([status, body.task]).toEqual([201, expect.objectContaining({ ...words, metadata, simulatedPromptSchema })]);
    const breakdown = { monitoring: [], synthetic: [] };
    expect((await api.get(`/v0/tasks/${body.task.id}`)).body).toEqual({ task: { ...body.task, breakdown } });
    const optional = "inputExamples prompts metadata quickstartId simulatedPromptSchema topicId type status".split(" ");
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));
    const plain = await api.post("/v0/tasks", { ...words, ...nulls });
    expect([plain.status, plain.body.task]).toEqual([201, expect.objectContaining({ type: "NORMAL", metadata: {} })]);
    for (const wrong of [[], "a", 1]) {
      const { issues } = (await api.post("/v0/tasks", { ...words, metadata: wrong })).body;
      expect(issues).toMatchObject([{ code: "invalid_type", path: ["metadata"] }]);
    }
    expect(statusAndBody(await api.post("/v0/tasks", { ...words, quickstartId: newId() }))).toEqual({
      status: 404,
      body: { message: "Quickstart not found" },
    });
  });

  test("lists every fault at once", async () => {
    const { status, body } = await api.post("/v0/tasks", {
      title: "",
      topicId: "x",
      type: "STATIC",
      status: "ARCHIVED",
      isVerified: true,
    });
    expect(status).toBe(400);
    expect(
      Object.fromEntries(
        body.issues.map((issue: { path: string[]; code: string }) => [issue.path.join("."), issue.code]),
      ),
    ).toEqual({
      title: "too_small",
      description: "invalid_type",
      topicId: "invalid_string",
      status: "invalid_enum_value",
      isVerified: "unrecognized_keys",
      prompts: "custom",
    });
  });

  test("prompts are 1-10,000 of 1-10,000 characters, and the size of a task is limited", async () => {
    const create = async (prompts: string[]) => {
      const { status, body } = await api.post("/v0/tasks", { ...words, type: "STATIC", prompts });
      return [status, body.issues?.map((issue: { code: string; path: string[] }) => [issue.code, ...issue.path])];
    };
    expect(await create(Array(10_000).fill("x"))).toEqual([201, undefined]);
    expect(await create(Array(10_001).fill("x"))).toEqual([400, [["too_big", "prompts"]]]);
    expect(await create(["x".repeat(10_000)])).toEqual([201, undefined]);
    expect(await create(["a", "x".repeat(10_001)])).toEqual([400, [["too_big", "prompts", "1"]]]);
    expect(await create(["a", ""])).toEqual([400, [["too_small", "prompts", "1"]]]);
    expect(await create(Array(90).fill("x".repeat(10_000)))).toEqual([201, undefined]);
    expect(await create(Array(100).fill("x".repeat(10_000)))).toEqual([413, undefined]);
  });

  test("topicId is a topic of the application, else it is not found", async () => {
    const { data } = (await api.post("/v0/topics", { title: "Cards" })).body;
    expect((await api.post("/v0/tasks", { ...words, topicId: data.id })).body.task.topicId).toBe(data.id);
    expect((await api.get(`/v0/topics/${data.id}`)).body.data.taskCount).toBe(1);
    expect(statusAndBody(await api.post("/v0/tasks", { ...words, topicId: newId() }))).toEqual(topicNotFound);
  });
});

describe("PUT /v0/tasks/{id}", () => {
  test("changes what is given; topicId null unlinks", async () => {
    const { data } = (await api.post("/v0/topics", { title: "Cards" })).body;
    const { task } = (await api.post("/v0/tasks", { ...words, type: "STATIC", prompts: ["a"] })).body;
    const path = `/v0/tasks/${task.id}`;
    let before = task;
    for (const change of [
      { title: "b", description: "c" },
      { status: "DRAFT" },
      { isVerified: true },
      { topicId: data.id },
      { prompts: ["b", "c"], inputExamples: ["b", "c"] },
      { metadata: { a: [1] }, simulatedPromptSchema: { type: "object" } },
      { metadata: { b: null } },
      { topicId: null, simulatedPromptSchema: null },
    ]) {
      const { status, body } = await put(path, change);
      const examples = "prompts" in change ? { examples: [{ input: "b" }, { input: "c" }] } : {};
      expect([status, body.task]).toEqual([200, { ...before, ...change, ...examples, modifiedAt: expect.any(String) }]);
      before = body.task;
    }
    const cleared = (await put(path, { metadata: null })).body.task;
    expect(cleared).toMatchObject({ metadata: {}, title: "b", isVerified: true });
    before = cleared;
    const nothing = {
      title: null,
      description: null,
      status: null,
      isVerified: null,
      prompts: null,
      inputExamples: [],
    };
    expect((await put(path, {})).body.task).toEqual(before);
    expect((await put(path, { ...nothing, deleteEmptySourceTopic: null })).body.task).toEqual(before);
    expect((await api.get(path)).body.task).toMatchObject({ ...before, breakdown: { monitoring: [], synthetic: [] } });
  });

  test("a broken rule is reported with its path, and nothing is changed", async () => {
    const { task } = (await api.post("/v0/tasks", words)).body;
    for (const [change, code, path] of [
      [{ title: "" }, "too_small", "title"],
      [{ title: null, description: "" }, "too_small", "description"],
      [{ topicId: "x" }, "invalid_string", "topicId"],
      [{ topicId: 1 }, "invalid_type", "topicId"],
      [{ status: "DEDUCED" }, "invalid_enum_value", "status"],
      [{ prompts: ["a"], inputExamples: ["b"] }, "custom", "prompts"],
      [{ inputExamples: "a" }, "invalid_type", "inputExamples"],
      [{ metadata: [] }, "invalid_type", "metadata"],
      [{ simulatedPromptSchema: "a" }, "invalid_type", "simulatedPromptSchema"],
      [{ type: "STATIC" }, "unrecognized_keys", "type"],
    ] as const) {
      const { status, body } = await put(`/v0/tasks/${task.id}`, change);
      expect([status, body.issues]).toEqual([400, [{ code, message: expect.any(String), path: [path] }]]);
    }
    expect((await api.get(`/v0/tasks/${task.id}`)).body.task).toMatchObject({ ...task, breakdown: expect.anything() });
    expect(statusAndBody(await put(`/v0/tasks/${task.id}`, { topicId: newId() }))).toEqual(topicNotFound);
  });
});

test("a move with deleteEmptySourceTopic deletes the topic that it leaves empty", async () => {
  const { data } = (await api.post("/v0/topics", { title: "left" })).body;
  const { task } = (await api.post("/v0/tasks", { ...words, topicId: data.id })).body;
  expect((await put(`/v0/tasks/${task.id}`, { topicId: null, deleteEmptySourceTopic: true })).status).toBe(200);
  expect(statusAndBody(await api.get(`/v0/topics/${data.id}`))).toEqual(topicNotFound);
});

test("POST /v0/tasks/{id}/archive takes a task out of the list, repeatably; it can still be read", async () => {
  const { task } = (await api.post("/v0/tasks", { ...words, title: "to be archived" })).body;
  for (const body of [undefined, {}]) {
    expect(statusAndBody(await api.post(`/v0/tasks/${task.id}/archive`, body))).toEqual({
      status: 204,
      body: undefined,
    });
  }
  expect((await api.get(`/v0/tasks/${task.id}`)).body.task.status).toBe("ARCHIVED");
  expect((await api.get("/v0/tasks?search=to+be+archived")).body.data).toEqual([]);
  expect((await api.get("/v0/tasks?search=to+be+archived&status=ARCHIVED")).body.data).toHaveLength(1);
});

test("a task that is not there is not found", async () => {
  const path = `/v0/tasks/${newId()}`;
  expect(statusAndBody(await api.get(path))).toEqual(taskNotFound);
  expect(statusAndBody(await put(path, { title: "a" }))).toEqual(taskNotFound);
  expect(statusAndBody(await api.post(`${path}/archive`))).toEqual(taskNotFound);
});

describe("GET /v0/tasks", () => {
  const found = (body: { data: { title: string }[] }) => body.data.map(({ title }) => title);
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    for (const name of ["x", "y"]) {
      ids[name] = (await api.post("/v0/topics", { title: name })).body.data.id;
      ids[`tag ${name}`] = (await api.post("/v0/tags", { name })).body.data.id;
    }
    for (const [title, topicId, status] of [
      ["page c", ids.x, "ACTIVE"],
      ["page b", ids.y, "DRAFT"],
      ["page a", ids.y, "ACTIVE"],
    ]) {
      const { task } = (await api.post("/v0/tasks", { title, description: "listed", topicId, status })).body;
      const tagIds = [ids[title === "page c" ? "tag x" : "tag y"]];
      await api.post("/v0/tasks/tags", { taskIds: [task.id], tagIds });
    }
  });

  test("is paged: skip, limit, and how many there are", async () => {
    const { body } = await api.get("/v0/tasks?search=LISTED&skip=1&limit=1&orderBy=title&orderDir=asc");
    expect(found(body)).toEqual(["page b"]);
    expect(body.pagination).toEqual({
      skip: 1,
      limit: 1,
      total: 3,
      totalPages: 3,
      totalCount: 3,
      nextCursor: expect.any(String),
    });
    expect(found((await api.get("/v0/tasks?search=listed")).body)).toEqual(["page a", "page b", "page c"]);
  });

  test("filters by topic, tag and status, repeated or comma-joined, and by what is in title and description", async () => {
    for (const [query, titles] of [
      [`topicId=${ids.x}`, ["page c"]],
      [`topicId=${ids.x},${ids.y}`, ["page a", "page b", "page c"]],
      [`topicId=${ids.x}&topicId=${ids.y}&status=DRAFT`, ["page b"]],
      [`tagId=${ids["tag y"]}`, ["page a", "page b"]],
      [`tagId=${ids["tag y"]}&status=ACTIVE,ARCHIVED`, ["page a"]],
      [`tagId=${ids["tag y"]}&topicId=${ids.x}`, []],
      [`tagId=${newId()}`, []],
      [`definitionId=${newId()}`, []],
      [`evalDefinitionId=${newId()}`, []],
      ["search=listed&status=&topicId=&tagId=&evalDefinitionId=&definitionId=", ["page a", "page b", "page c"]],
      ["search=page+c", ["page c"]],
    ] as const) {
      expect([query, found((await api.get(`/v0/tasks?${query}`)).body)]).toEqual([query, titles]);
    }
  });

  test("lists every fault of a query at once", async () => {
    const { status, body } = await api.get(
      "/v0/tasks?limit=0&topicId=a,b&tagId=c&definitionId=d&evalDefinitionId=e&orderBy=topicId&status=NEW&title=x",
    );
    expect(status).toBe(400);
    expect(body.issues.map(({ path }: { path: string[] }) => path.join(".")).sort()).toEqual(
      [
        "limit",
        "topicId.0",
        "topicId.1",
        "tagId.0",
        "definitionId.0",
        "evalDefinitionId.0",
        "orderBy",
        "status.0",
        "title",
      ].sort(),
    );
  });
});
