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
    expect(body.pagination).toEqual({ skip: 1, limit: 2, total: 5, totalPages: 3, totalCount: 5 });
    expect((await api.get("/v0/topics?title=page")).body.pagination).toMatchObject({ skip: 0, limit: 25 });
    expect(found((await api.get("/v0/topics?title=page")).body)).toEqual([...titles].reverse());
  });

  test("status comes repeated or comma-joined", async () => {
    for (const query of ["status=DRAFT,ACTIVE", "status=DRAFT&status=ACTIVE", "status=DRAFT%2CACTIVE"]) {
      expect((await api.get(`/v0/topics?title=page&${query}`)).body.pagination.total).toBe(5);
    }
    expect(found((await api.get("/v0/topics?title=page&status=DRAFT")).body)).toEqual(["page c"]);
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

  test("tells every fault of a query at once", async () => {
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
