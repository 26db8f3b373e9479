import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();

describe("POST /v0/topics", () => {
  test("creates a topic, ACTIVE when status is omitted", async () => {
    const { status, body } = await api.post("/v0/topics", { title: "Opening an account" });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        applicationId,
        orgId,
        title: "Opening an account",
        baseline: null,
        status: "ACTIVE",
        isInScope: true,
        isTasksVerified: false,
        isDocumentsVerified: false,
        isKnowledgeBaseVerified: false,
        isPoliciesVerified: false,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        assignedTo: null,
        assignedUser: null,
        evalDefinitions: [],
        taskCount: 0,
        documentCount: 0,
      },
    });
  });

  test("takes the given status (DRAFT or ACTIVE) and baseline", async () => {
    for (const status of ["DRAFT", "ACTIVE"]) {
      const { body } = await api.post("/v0/topics", { title: "a", status, baseline: 0.75 });
      expect(body.data).toMatchObject({ status, baseline: 0.75 });
    }
    const nothing = { title: "a", status: null, baseline: null, quickstartId: null };
    expect((await api.post("/v0/topics", nothing)).body.data).toMatchObject({ status: "ACTIVE", baseline: null });
    expect((await api.post("/v0/topics", { title: "a", status: "ARCHIVED" })).body.issues).toEqual([
      expect.objectContaining({ code: "invalid_enum_value", path: ["status"] }),
    ]);
  });

  test("keeps a title as it came, from one character on", async () => {
    for (const title of ["x", " ", "Überweisung 💶 'a\"b\\c%_", "line\nbreak\ttab"]) {
      expect((await api.post("/v0/topics", { title })).body.data.title).toBe(title);
    }
    expect((await api.post("/v0/topics", { title: "" })).status).toBe(400);
  });

  test("a quickstart that is not the application's is not found", async () => {
    const { status, body } = await api.post("/v0/topics", { title: "a", quickstartId: newId() });
    expect({ status, body }).toEqual({ status: 404, body: { message: "Quickstart not found" } });
  });
});

describe("GET /v0/topics/{id} and POST /v0/topics/{id}/archive", () => {
  test("an archived topic leaves the list and can still be read", async () => {
    const { data } = (await api.post("/v0/topics", { title: "to be archived" })).body;
    for (const body of [{}, { cascade: false }, { cascade: true }, undefined]) {
      const answer = await api.post(`/v0/topics/${data.id}/archive`, body);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: undefined });
    }
    expect((await api.get(`/v0/topics/${data.id}`)).body.data).toMatchObject({
      ...data,
      status: "ARCHIVED",
      modifiedAt: expect.any(String),
    });
    expect((await api.get("/v0/topics?title=to+be+archived")).body.data).toEqual([]);
    expect((await api.get("/v0/topics?title=to%20be%20archived&status=ARCHIVED")).body.data).toHaveLength(1);
  });

  test("a topic that is not there is not found", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/archive"],
    ] as const) {
      const { status, body } = await api.send(method, `/v0/topics/${newId()}${path}`);
      expect({ status, body }).toEqual({ status: 404, body: { message: "Topic not found" } });
    }
  });
});

describe("PUT /v0/topics/{id} and PATCH /v0/topics", () => {
  const flags = {
    isInScope: false,
    isTasksVerified: true,
    isDocumentsVerified: true,
    isKnowledgeBaseVerified: true,
    isPoliciesVerified: true,
  };
  const put = (id: string, json: unknown) => api.send("PUT", `/v0/topics/${id}`, { json });
  const patch = (json: unknown) => api.send("PATCH", "/v0/topics", { json });
  const newTopic = async () => (await api.post("/v0/topics", { title: "before", baseline: 0.5 })).body.data;

  test("PUT changes what is given; null takes baseline and assignedTo away", async () => {
    const topic = await newTopic();
    for (const change of [
      {},
      { title: "after", status: "DRAFT" },
      flags,
      { baseline: 0, assignedTo: "x".repeat(255) },
      { baseline: null, assignedTo: null },
    ]) {
      Object.assign(topic, change);
      const { status, body } = await put(topic.id, change);
      expect([status, body.data]).toEqual([200, { ...topic, modifiedAt: expect.any(String) }]);
    }
    expect((await api.get(`/v0/topics/${topic.id}`)).body.data).toMatchObject({ title: "after", assignedTo: null });
  });

  test("PATCH changes many topics in the same way and returns their number", async () => {
    const [a, b] = [await newTopic(), await newTopic()];
    const change = { ...flags, baseline: 1, assignedTo: "someone" };
    const { status, body } = await patch({ topicIds: [a.id, b.id, a.id.toUpperCase()], ...change });
    expect([status, body]).toEqual([200, { count: 2 }]);
    for (const topic of [a, b]) {
      const { data } = (await api.get(`/v0/topics/${topic.id}`)).body;
      expect(data).toEqual({ ...topic, ...change, modifiedAt: expect.any(String) });
    }
  });

  test("an unknown topic among them is not found, and nothing is changed", async () => {
    const topic = await newTopic();
    const foreign = (await (await newTenant()).api.post("/v0/topics", { title: "theirs" })).body.data.id;
    const notFound = { status: 404, body: { message: "Topic not found" } };
    for (const id of [newId(), foreign]) {
      const [each, many] = [await put(id, { title: "x" }), await patch({ topicIds: [topic.id, id], title: "x" })];
      for (const { status, body } of [each, many]) expect({ status, body }).toEqual(notFound);
    }
    expect((await api.get(`/v0/topics/${topic.id}`)).body.data).toEqual(topic);
  });

  test("every fault is listed at once; a call has 1-100 topics", async () => {
    const { id } = await newTopic();
    const wrong = { title: "", baseline: "1", status: "ARCHIVED", isInScope: 1, assignedTo: "", orgId: "x" };
    const issues = {
      title: "too_small",
      baseline: "invalid_type",
      status: "invalid_enum_value",
      isInScope: "invalid_type",
      assignedTo: "too_small",
      orgId: "unrecognized_keys",
    };
    for (const [answer, more] of [
      [await put(id, wrong), {}],
      [await patch({ ...wrong, topicIds: [] }), { topicIds: "too_small" }],
      [await patch({ ...wrong, topicIds: Array.from({ length: 101 }, newId) }), { topicIds: "too_big" }],
      [await patch({ ...wrong, topicIds: [id, "x"] }), { "topicIds.1": "invalid_string" }],
      [await patch(wrong), { topicIds: "invalid_type" }],
    ] as const) {
      const issuePaths = answer.body.issues.map(({ path, code }: { path: string[]; code: string }) => [
        path.join("."),
        code,
      ]);
      expect([answer.status, Object.fromEntries(issuePaths)]).toEqual([400, { ...issues, ...more }]);
    }
    const { body } = await put(id, { assignedTo: "x".repeat(256) });
    expect(body.issues).toMatchObject([{ code: "too_big", path: ["assignedTo"] }]);
  });
});

test("archiving a topic with cascade archives its tasks, without it they stay active and keep their topicId", async () => {
  for (const [cascade, status] of [
    [true, "ARCHIVED"],
    [false, "ACTIVE"],
  ] as const) {
    const topicId = (await api.post("/v0/topics", { title: "with a task" })).body.data.id;
    const { task } = (await api.post("/v0/tasks", { title: "a", description: "b", topicId })).body;
    await api.post(`/v0/topics/${topicId}/archive`, { cascade });
    expect((await api.get(`/v0/tasks/${task.id}`)).body.task).toMatchObject({ status, topicId });
  }
});

describe("GET /v0/topics", () => {
  const titles = ["e", "d", "c", "b", "a"].map((letter) => `page ${letter}`);
  beforeAll(async () => {
    for (const title of titles)
      await api.post("/v0/topics", { title, status: title === "page c" ? "DRAFT" : "ACTIVE" });
  });
  const found = (body: { data: { title: string }[] }) => body.data.map(({ title }) => title);

  test("is paged: skip, limit, and how many there are", async () => {
    const { body } = await api.get("/v0/topics?title=page&skip=1&limit=2&orderBy=title&orderDir=asc");
    expect(found(body)).toEqual(["page b", "page c"]);
    expect(body.pagination).toEqual({
      skip: 1,
      limit: 2,
      total: 5,
      totalPages: 3,
      totalCount: 5,
      nextCursor: expect.any(String),
    });
    expect((await api.get("/v0/topics?title=page")).body.pagination).toMatchObject({ skip: 0, limit: 25 });
    expect(found((await api.get("/v0/topics?title=page")).body)).toEqual([...titles].reverse());
  });

  test("status comes repeated or comma-joined", async () => {
    for (const query of ["status=DRAFT,ACTIVE", "status=DRAFT&status=ACTIVE", "status=DRAFT%2CACTIVE"]) {
      expect((await api.get(`/v0/topics?title=page&${query}`)).body.pagination.total).toBe(5);
    }
    expect(found((await api.get("/v0/topics?title=page&status=DRAFT")).body)).toEqual(["page c"]);
  });

  test("filters by what is in scope and verified, true or false", async () => {
    const { data } = (await api.post("/v0/topics", { title: "page flagged" })).body;
    const change = { isInScope: false, isKnowledgeBaseVerified: true, isPoliciesVerified: true, isTasksVerified: true };
    await api.send("PUT", `/v0/topics/${data.id}`, { json: change });
    for (const [name, value] of Object.entries(change)) {
      expect(found((await api.get(`/v0/topics?title=page&${name}=${value}`)).body)).toEqual(["page flagged"]);
      expect((await api.get(`/v0/topics?title=page&${name}=${!value}`)).body.pagination.total).toBe(5);
    }
    await api.post(`/v0/topics/${data.id}/archive`);
    const { status, body } = await api.get("/v0/topics?isInScope=yes");
    expect([status, body.issues[0].path]).toEqual([400, ["isInScope"]]);
  });

  test("an empty parameter is no filter", async () => {
    const empty = await api.get(
      "/v0/topics?title=&status=&isInScope=&isTasksVerified=&orderBy=&orderDir=&skip=&limit=",
    );
    expect([empty.status, empty.body]).toEqual([200, (await api.get("/v0/topics")).body]);
  });

  test("limit is 1-100 and skip 0-9007199254740991", async () => {
    for (const [query, status] of [
      ["limit=0", 400],
      ["limit=1", 200],
      ["limit=100", 200],
      ["limit=101", 400],
      ["skip=-1", 400],
      ["skip=9007199254740991", 200],
      ["skip=9007199254740992", 400],
    ] as const) {
      expect([query, (await api.get(`/v0/topics?${query}`)).status]).toEqual([query, status]);
    }
  });

  test("lists every fault of a query at once", async () => {
    const { status, body } = await api.get(
      "/v0/topics?limit=ten&skip=1.5&orderBy=color&orderDir=up&status=NEW&nope=1&limit2",
    );
    expect(status).toBe(400);
    const byPath = Object.fromEntries(
      body.issues.map((issue: { path: string[]; code: string }) => [issue.path.join("."), issue.code]),
    );
    expect(byPath).toEqual({
      limit: "invalid_type",
      skip: "invalid_type",
      orderBy: "invalid_enum_value",
      orderDir: "invalid_enum_value",
      "status.0": "invalid_enum_value",
      nope: "unrecognized_keys",
      limit2: "unrecognized_keys",
    });
  });
});
