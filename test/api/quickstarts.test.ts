import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const other = await newTenant();
const newQuickstart = async (by = api) => (await by.post("/v0/quickstarts", { title: "Bank" })).body.data.id as string;
const newTopic = async (by = api) => (await by.post("/v0/topics", { title: "Cards" })).body.data.id as string;
const notFound = (what: string) => ({ status: 404, body: { message: `${what} not found` } });
const getIssues = (body: { issues: { path: string[]; code: string }[] }) =>
  Object.fromEntries(body.issues.map(({ path, code }) => [path.join("."), code]));

describe("POST and GET /v0/quickstarts", () => {
  test("a quickstart is created, read, listed, and can be named by a topic at once", async () => {
    const { status, body } = await api.post("/v0/quickstarts", { title: "Bank", description: "first week" });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.any(String),
        applicationId,
        orgId,
        title: "Bank",
        description: "first week",
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
      },
    });
    expect((await api.get(`/v0/quickstarts/${body.data.id}`)).body).toEqual(body);
    const list = (await api.get("/v0/quickstarts?limit=1")).body;
    expect(list).toMatchObject({ data: [body.data], pagination: { skip: 0, limit: 1 } });
    expect((await api.post("/v0/topics", { title: "a", quickstartId: body.data.id })).status).toBe(201);
  });

  test("a quickstart that is not there is not found", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/assignments"],
      ["GET", "/contradictions"],
    ] as const) {
      const { status, body } = await api.send(method, `/v0/quickstarts/${newId()}${path}`);
      expect({ status, body }).toEqual(notFound("Quickstart"));
    }
  });
});

describe("POST /v0/quickstarts/{id}/assignments/bulk", () => {
  const assign = (id: string, assignments: unknown) =>
    api.post(`/v0/quickstarts/${id}/assignments/bulk`, { assignments });
  const stage = "KB_REVIEW";

  test("creates many assignments and answers how many; repeating changes nothing, a new person replaces", async () => {
    const [id, topicId] = [await newQuickstart(), await newTopic()];
    const assignments = [
      { stage, assignedTo: "user-1", topicId },
      { stage: "TASKS_TOPICS_REVIEW", assignedTo: "user-2", topicId },
    ];
    const list = async (query = "") => (await api.get(`/v0/quickstarts/${id}/assignments?${query}`)).body.data;
    const { status, body } = await assign(id, assignments);
    expect({ status, body }).toEqual({ status: 200, body: { count: 2 } });
    const first = await list();
    expect(first).toHaveLength(2);
    expect(first).toContainEqual({
      id: expect.any(String),
      quickstartId: id,
      stage,
      topicId,
      assignedTo: "user-1",
      assignedUser: null,
      createdAt: expect.any(String),
      modifiedAt: expect.any(String),
    });
    expect((await assign(id, assignments)).body).toEqual({ count: 2 });
    expect(await list()).toEqual(first);
    expect((await assign(id, [{ stage, assignedTo: "user-3", topicId }])).body).toEqual({ count: 1 });
    expect(await list(`stage=${stage}`)).toMatchObject([{ assignedTo: "user-3" }]);
    expect(await list("assignedTo=user-2&stage=KB_REVIEW,TASKS_TOPICS_REVIEW")).toHaveLength(1);
  });

  test("of two for the same stage and topic in one call the last one counts", async () => {
    const [id, topicId] = [await newQuickstart(), await newTopic()];
    const twice = ["user-1", "user-2"].map((assignedTo) => ({ stage, assignedTo, topicId }));
    expect((await assign(id, twice)).body).toEqual({ count: 1 });
    const { data } = (await api.get(`/v0/quickstarts/${id}/assignments`)).body;
    expect(data).toMatchObject([{ assignedTo: "user-2" }]);
  });

  test("an unknown quickstart, and a topic that is not the application's, are not found; nothing is assigned", async () => {
    const [id, topicId] = [await newQuickstart(), await newTopic()];
    const question = { stage, assignedTo: "user-1", topicId };
    for (const unknown of [newId(), await newQuickstart(other.api)]) {
      const { status, body } = await assign(unknown, [question]);
      expect({ status, body }).toEqual(notFound("Quickstart"));
    }
    for (const unknown of [newId(), await newTopic(other.api)]) {
      const { status, body } = await assign(id, [question, { ...question, topicId: unknown }]);
      expect({ status, body }).toEqual(notFound("Topic"));
    }
    expect((await api.get(`/v0/quickstarts/${id}/assignments`)).body.data).toEqual([]);
  });

  test("takes 1-1000 assignments", async () => {
    const [id, topicId] = [await newQuickstart(), await newTopic()];
    const many = (count: number) => Array.from({ length: count }, () => ({ stage, assignedTo: "user-1", topicId }));
    for (const [count, status] of [
      [0, 400],
      [1, 200],
      [1000, 200],
      [1001, 400],
    ] as const) {
      expect([count, (await assign(id, many(count))).status]).toEqual([count, status]);
    }
  });

  test("lists every fault of a body at once", async () => {
    const { status, body } = await assign(newId(), [
      {},
      { stage: "REVIEW", assignedTo: "", topicId: "x" },
      { stage, assignedTo: "x".repeat(256), topicId: newId(), more: 1 },
    ]);
    expect(status).toBe(400);
    expect(getIssues(body)).toEqual({
      "assignments.0.stage": "invalid_type",
      "assignments.0.assignedTo": "invalid_type",
      "assignments.0.topicId": "invalid_type",
      "assignments.1.stage": "invalid_enum_value",
      "assignments.1.assignedTo": "too_small",
      "assignments.1.topicId": "invalid_string",
      "assignments.2.assignedTo": "too_big",
      "assignments.2.more": "unrecognized_keys",
    });
  });
});

describe("PUT /v0/quickstarts/{id}/assignments/bulk", () => {
  test("gives assignments to another person, all or none", async () => {
    const id = await newQuickstart();
    const topicId = (await api.post("/v0/topics", { title: "Cards" })).body.data.id;
    const assignments = [{ stage: "KB_REVIEW", assignedTo: "ada", topicId }];
    const path = `/v0/quickstarts/${id}/assignments/bulk`;
    await api.post(path, { assignments });
    const list = async () => (await api.get(`/v0/quickstarts/${id}/assignments`)).body.data;
    const ids = (await list()).map((each: { id: string }) => each.id);
    const unknown = await api.send("PUT", path, { json: { ids: [...ids, newId()], assignedTo: "ben" } });
    expect({ status: unknown.status, body: unknown.body }).toEqual(notFound("Assignment"));
    expect(await list()).toMatchObject([{ assignedTo: "ada" }]);
    for (let repeated = 0; repeated < 2; repeated++) {
      const { status, body } = await api.send("PUT", path, { json: { ids, assignedTo: "ben" } });
      expect({ status, body }).toEqual({ status: 200, body: { count: 1 } });
    }
    expect(await list()).toMatchObject([{ id: ids[0], assignedTo: "ben" }]);
    const invalid = await api.send("PUT", path, { json: { ids: [], assignedTo: "" } });
    expect(getIssues(invalid.body)).toEqual({ ids: "too_small", assignedTo: "too_small" });
  });
});

describe("contradictions of a quickstart", () => {
  const found = () => {
    const ids = { documentTestId: newId(), documentAId: newId(), documentBId: newId() };
    return { ...ids, reason: "fees differ", passageA: "no fee", passageB: "a fee of 5" };
  };
  const newContradiction = async (id: string, by = api) =>
    (await by.post(`/v0/quickstarts/${id}/contradictions`, { contradictions: [found()] })).body.data[0];
  const put = (id: string, contradictionId: string, json: unknown) =>
    api.send("PUT", `/v0/quickstarts/${id}/contradictions/${contradictionId}`, { json });

  test("POST creates them unresolved and unassigned, in order", async () => {
    const id = await newQuickstart();
    const contradictions = [found(), found()];
    const { status, body } = await api.post(`/v0/quickstarts/${id}/contradictions`, { contradictions });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: contradictions.map((contradiction) => ({
        id: expect.any(String),
        applicationId,
        orgId,
        ...contradiction,
        resolved: false,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        assignedTo: null,
        assignedUser: null,
      })),
    });
  });

  test("PUT sets resolved to the sent value, and assigns in the same call; null unassigns", async () => {
    const id = await newQuickstart();
    const made = await newContradiction(id);
    const { status, body } = await put(id, made.id, { resolved: true, assignedTo: "user-1" });
    expect(status).toBe(200);
    const modifiedAt = expect.any(String);
    expect(body).toEqual({ data: { ...made, resolved: true, assignedTo: "user-1", modifiedAt } });
    const list = async (query: string) => (await api.get(`/v0/quickstarts/${id}/contradictions?${query}`)).body.data;
    expect(await list("resolved=true&assignedTo=user-1")).toEqual([body.data]);
    expect(await list("resolved=false")).toEqual([]);
    expect((await put(id, made.id, { resolved: false })).body.data).toMatchObject({
      resolved: false,
      assignedTo: "user-1",
    });
    expect((await put(id, made.id, { assignedTo: null })).body.data).toMatchObject({
      resolved: false,
      assignedTo: null,
      assignedUser: null,
    });
  });

  test("PUT needs resolved or assignedTo, and an assignedTo of 1-255 characters", async () => {
    const id = await newQuickstart();
    const made = await newContradiction(id);
    for (const [json, issues] of [
      [{}, { "": "custom" }],
      [{ resolved: null }, { "": "custom" }],
      [{ assignedTo: "" }, { assignedTo: "custom" }],
      [{ assignedTo: "x".repeat(256) }, { assignedTo: "custom" }],
      [{ assignedTo: 1, resolved: true }, { assignedTo: "custom" }],
    ] as const) {
      const { status, body } = await put(id, made.id, json);
      expect([status, getIssues(body)]).toEqual([400, issues]);
    }
    expect((await put(id, made.id, { assignedTo: "x".repeat(255) })).status).toBe(200);
  });

  test("an unknown quickstart, and an unknown contradiction or one of another quickstart, are not found", async () => {
    const [id, second] = [await newQuickstart(), await newQuickstart()];
    const made = await newContradiction(id);
    const foreign = await newContradiction(await newQuickstart(other.api), other.api);
    for (const [quickstart, contradiction, what] of [
      [newId(), made.id, "Quickstart"],
      [id, newId(), "Contradiction"],
      [id, foreign.id, "Contradiction"],
      [second, made.id, "Contradiction"],
    ]) {
      const { status, body } = await put(quickstart, contradiction, { resolved: true });
      expect({ status, body }).toEqual(notFound(what));
    }
    const answer = await api.post(`/v0/quickstarts/${newId()}/contradictions`, { contradictions: [found()] });
    expect({ status: answer.status, body: answer.body }).toEqual(notFound("Quickstart"));
  });

  test("POST takes 1-1000 and lists every fault at once", async () => {
    const id = await newQuickstart();
    const post = (contradictions: unknown[]) => api.post(`/v0/quickstarts/${id}/contradictions`, { contradictions });
    for (const [count, status] of [
      [0, 400],
      [1000, 201],
      [1001, 400],
    ] as const) {
      expect([count, (await post(Array.from({ length: count }, found))).status]).toEqual([count, status]);
    }
    const { body } = await post([{ ...found(), documentAId: "x", reason: "", passageA: "x".repeat(4001), id }]);
    expect(getIssues(body)).toEqual({
      "contradictions.0.documentAId": "invalid_string",
      "contradictions.0.reason": "too_small",
      "contradictions.0.passageA": "too_big",
      "contradictions.0.id": "unrecognized_keys",
    });
  });
});
