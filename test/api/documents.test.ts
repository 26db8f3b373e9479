import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const userId = (await api.get("/v0/users")).body.data[0].id;
const other = await newTenant();
const text = { title: "Fees", content: "An account costs nothing." };
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const statuses = ["DRAFT", "REVIEW", "APPROVED", "ARCHIVED", "ACTIVE"];

const create = async (overrides: object = {}) =>
  (await api.post("/v0/documents", { ...text, ...overrides })).body.document;
const read = async (id: string) => (await api.get(`/v0/documents/${id}`)).body.document;
const readVersions = async (id: string) => (await api.get(`/v0/documents/${id}/versions`)).body;
const addVersion = (id: string, overrides: object = {}) =>
  api.post(`/v0/documents/${id}/versions`, { ...text, ...overrides });
const getPaths = (issues: { path: string[]; code: string }[]) =>
  Object.fromEntries(issues.map(({ path, code }) => [path.join("."), code]));

describe("POST /v0/documents/status", () => {
  test("the active version of every listed document gets the status, whichever of the five", async () => {
    const [first, second] = [await create(), await create({ status: "APPROVED" })];
    await addVersion(first.id);
    for (const status of statuses) {
      const answer = await api.post("/v0/documents/status", { documentIds: [first.id, second.id], status });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { success: [first.id, second.id], failed: [] },
      });
      expect((await read(first.id)).versions[1].status).toBe(status);
      expect((await read(second.id)).versions[0].status).toBe(status);
    }
    const { versions } = await readVersions(first.id);
    expect(versions.map(({ status }: { status: string }) => status)).toEqual(["DRAFT", "ACTIVE"]);
  });

  test("unknown ids and another tenant's are in failed, the others are updated", async () => {
    const { id } = await create();
    const foreign = (await other.api.post("/v0/documents", text)).body.document;
    const unknown = newId();
    const documentIds = [foreign.id, id, unknown, id];
    const { status, body } = await api.post("/v0/documents/status", { documentIds, status: "ACTIVE" });
    const reason = "Document not found";
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: [id],
        failed: [
          { id: foreign.id, reason },
          { id: unknown, reason },
        ],
      },
    });
    expect((await read(id)).versions[0].status).toBe("ACTIVE");
    expect((await other.api.get(`/v0/documents/${foreign.id}`)).body.document).toEqual(foreign);
  });

  test("documentIds: min 1 item, at most 100 per request", async () => {
    for (const [count, expected] of [
      [0, 400],
      [1, 200],
      [100, 200],
      [101, 400],
    ] as const) {
      const documentIds = Array.from({ length: count }, () => newId());
      const { status, body } = await api.post("/v0/documents/status", { documentIds, status: "DRAFT" });
      expect([count, status]).toEqual([count, expected]);
      if (status === 200) expect(body.failed).toHaveLength(count);
    }
  });

  test("lists every fault at once", async () => {
    const { status, body } = await api.post("/v0/documents/status", {
      documentIds: [newId(), "x", 1],
      status: "PUBLISHED",
      ids: [],
    });
    expect(status).toBe(400);
    expect(getPaths(body.issues)).toEqual({
      "documentIds.1": "invalid_string",
      "documentIds.2": "invalid_type",
      status: "invalid_enum_value",
      ids: "unrecognized_keys",
    });
    expect(getPaths((await api.post("/v0/documents/status", {})).body.issues)).toEqual({
      documentIds: "invalid_type",
      status: "invalid_type",
    });
  });
});

describe("POST, GET and DELETE /v0/documents", () => {
  test("creates a document with its first version, which is the active one", async () => {
    const topic = (await api.post("/v0/topics", { title: "Fees" })).body.data;
    const { status, body } = await api.post("/v0/documents", { ...text, topicId: topic.id });
    expect(status).toBe(201);
    const { id } = body.document;
    const common = { id: uuid, createdAt: time, modifiedAt: time, orgId, applicationId, type: "KNOWLEDGE" };
    expect(body).toEqual({
      document: {
        ...common,
        ...text,
        status: "ACTIVE",
        isVerified: false,
        optimized: false,
        assignee: userId,
        scrapeJobId: null,
        fileProcessingId: null,
        topicId: topic.id,
        activeVersionNumber: 1,
        tags: [],
        versions: [
          {
            ...common,
            ...text,
            documentId: id,
            versionNumber: 1,
            status: "DRAFT",
            language: "en",
            metadata: {},
            originalSentences: [],
          },
        ],
      },
    });
    expect(await read(id)).toEqual(body.document);
    expect((await api.get(`/v0/topics/${topic.id}`)).body.data.documentCount).toBe(1);
  });

  test("title is 1-1000, assignee 1-255, language 1-35 characters, content may be long", async () => {
    for (const [field, length, expected] of [
      ["title", 0, 400],
      ["title", 1, 201],
      ["title", 1000, 201],
      ["title", 1001, 400],
      ["assignee", 0, 400],
      ["assignee", 255, 201],
      ["assignee", 256, 400],
      ["language", 0, 400],
      ["language", 35, 201],
      ["language", 36, 400],
      ["content", 0, 400],
      ["content", 1, 201],
      ["content", 1_000_000, 201],
    ] as const) {
      const { status, body } = await api.post("/v0/documents", {
        ...text,
        [field]: (field === "content" ? "x" : "é").repeat(length),
      });
      expect([field, length, status]).toEqual([field, length, expected]);
      if (status === 400) expect(body.issues).toEqual([expect.objectContaining({ path: [field] })]);
    }
  });

  test("originalSentences has at most 10000 items", async () => {
    for (const [count, expected] of [
      [0, 201],
      [10_000, 201],
      [10_001, 400],
    ] as const) {
      const originalSentences = Array.from({ length: count }, () => "s");
      const { status, body } = await api.post("/v0/documents", { ...text, originalSentences });
      expect([count, status]).toEqual([count, expected]);
      if (status === 201) expect(body.document.versions[0].originalSentences).toEqual(originalSentences);
    }
  });

  test("is returned as sent", async () => {
    const ofDocument = { type: "POLICY", scrapeJobId: "job-1", assignee: "ada" };
    const ofVersion = { status: "REVIEW", language: "da", metadata: { a: [1, null] }, originalSentences: ["é"] };
    const document = await create({ ...ofDocument, ...ofVersion });
    expect(document).toMatchObject({ ...ofDocument, ...text, versions: [{ ...ofVersion, ...text, type: "POLICY" }] });
    const nulls = { topicId: null, assignee: null, metadata: null, originalSentences: null, type: null, status: null };
    expect(await create(nulls)).toMatchObject({ type: "KNOWLEDGE", assignee: userId, versions: [{ metadata: {} }] });
  });

  test("lists every fault at once", async () => {
    const { body } = await api.post("/v0/documents", {
      title: "",
      status: "NEW",
      metadata: [],
      originalSentences: ["a", 1],
      topicId: "x",
      assignee: 7,
      type: "FACTS",
      scrapeJobId: "",
    });
    expect(getPaths(body.issues)).toEqual({
      title: "too_small",
      content: "invalid_type",
      status: "invalid_enum_value",
      metadata: "invalid_type",
      "originalSentences.1": "invalid_type",
      topicId: "invalid_string",
      assignee: "invalid_type",
      type: "invalid_enum_value",
      scrapeJobId: "too_small",
    });
  });

  test("a topic that is not the application's is not found", async () => {
    const foreign = (await other.api.post("/v0/topics", { title: "theirs" })).body.data;
    for (const topicId of [foreign.id, newId()]) {
      const { status, body } = await api.post("/v0/documents", { ...text, topicId });
      expect({ status, body }).toEqual({ status: 404, body: { message: "Topic not found" } });
    }
  });

  test("a deleted document is gone with its versions", async () => {
    const { id } = await create();
    const deleted = await api.delete(`/v0/documents/${id}`);
    expect({ status: deleted.status, body: deleted.body }).toEqual({ status: 204, body: undefined });
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/versions"],
      ["PUT", "/versions/1/activate"],
      ["PUT", "/versions/1"],
    ] as const) {
      const { status, body } = await api.send(method, `/v0/documents/${id}${path}`);
      expect({ status, body }).toEqual({ status: 404, body: { message: "Document not found" } });
    }
  });
});
