import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const text = { title: "Fees", content: "An account costs nothing." };
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const create = async (overrides: object = {}) =>
  (await api.post("/v0/documents", { ...text, ...overrides })).body.document;
const read = async (id: string) => (await api.get(`/v0/documents/${id}`)).body.document;
const readVersions = async (id: string) => (await api.get(`/v0/documents/${id}/versions`)).body;
const addVersion = (id: string, overrides: object = {}) =>
  api.post(`/v0/documents/${id}/versions`, { ...text, ...overrides });
const put = (id: string, version: number | string, json: object) =>
  api.send("PUT", `/v0/documents/${id}/versions/${version}`, { json });
const activate = (id: string, version: number | string) =>
  api.send("PUT", `/v0/documents/${id}/versions/${version}/activate`);
const getPaths = (issues: { path: string[]; code: string }[]) =>
  Object.fromEntries(issues.map(({ path, code }) => [path.join("."), code]));

describe("GET /v0/documents/{id}/versions", () => {
  test("all versions of a document, ordered by versionNumber descending, without a data wrapper", async () => {
    const { id } = await create({ assignee: "ada", metadata: { pages: [1] }, originalSentences: ["Nothing."] });
    await addVersion(id, { title: "Fees 2", language: "de", status: "REVIEW" });
    const { status, body } = await api.get(`/v0/documents/${id}/versions`);
    expect(status).toBe(200);
    const common = { id: uuid, createdAt: time, modifiedAt: time, orgId, applicationId, type: "KNOWLEDGE" };
    const ofVersion = { ...common, documentId: id, content: text.content };
    expect(body).toEqual({
      document: {
        ...common,
        id,
        status: "ACTIVE",
        isVerified: false,
        optimized: false,
        assignee: "ada",
        scrapeJobId: null,
        fileProcessingId: null,
        topicId: null,
      },
      versions: [
        {
          ...ofVersion,
          title: "Fees 2",
          status: "REVIEW",
          versionNumber: 2,
          language: "de",
          metadata: { pages: [1] },
          originalSentences: ["Nothing."],
        },
        {
          ...ofVersion,
          title: "Fees",
          status: "DRAFT",
          versionNumber: 1,
          language: "en",
          metadata: { pages: [1] },
          originalSentences: ["Nothing."],
        },
      ],
    });
  });

  test("a path id that is not a UUID, and a document that is not there", async () => {
    const invalid = await api.get("/v0/documents/42/versions");
    expect(invalid.body).toEqual({
      message: "Invalid request data",
      issues: [{ code: "invalid_string", message: "Invalid UUID", path: ["id"] }],
    });
    const { status, body } = await api.get(`/v0/documents/${newId()}/versions`);
    expect({ status, body }).toEqual({ status: 404, body: { message: "Document not found" } });
  });
});

describe("versions of a document", () => {
  test("count up from 1, and are not active until activated", async () => {
    const { id } = await create({ language: "pt" });
    for (const versionNumber of [2, 3]) {
      const { status, body } = await addVersion(id, { title: `Fees ${versionNumber}` });
      expect(status).toBe(201);
      const version = expect.objectContaining({ versionNumber, documentId: id, language: "pt" });
      expect(body).toEqual({ document: expect.objectContaining({ id }), version });
      expect((await api.get(`/v0/documents/${id}/versions/${versionNumber}`)).body).toEqual(body);
    }
    expect((await read(id)).activeVersionNumber).toBe(1);
    for (let repeated = 0; repeated < 2; repeated++) {
      const { status, body } = await activate(id, 3);
      expect(status).toBe(200);
      expect(body.document).toEqual(await read(id));
      expect(body.document).toMatchObject({ activeVersionNumber: 3, title: "Fees 3" });
      expect(body.newActiveVersion).toMatchObject({ versionNumber: 3, title: "Fees 3", status: "DRAFT" });
    }
  });

  test("without a body are DRAFT copies of the active version", async () => {
    const { id } = await create({ status: "APPROVED", metadata: { a: 1 }, language: "sv" });
    const { status, body } = await api.post(`/v0/documents/${id}/versions`);
    expect(status).toBe(201);
    const copied = { ...text, status: "DRAFT", metadata: { a: 1 }, language: "sv", versionNumber: 2 };
    expect(body.version).toMatchObject(copied);
  });

  test("created at the same time never collide", async () => {
    const { id } = await create();
    const made = await Promise.all(Array.from({ length: 10 }, () => addVersion(id)));
    const numbers = made.map(({ body }) => body.version.versionNumber).sort((a, b) => a - b);
    expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("are changed in what is given only; null empties metadata", async () => {
    const { id, versions } = await create({ metadata: { a: 1 }, originalSentences: ["one"] });
    const [activeVersion] = versions;
    expect((await put(id, 1, {})).body).toEqual({ document: expect.objectContaining({ id }), version: activeVersion });
    const { status, body } = await put(id, 1, {
      title: "Charges",
      status: "REVIEW",
      originalSentences: ["two", "three"],
    });
    expect(status).toBe(200);
    expect(body.version).toEqual({
      ...activeVersion,
      title: "Charges",
      status: "REVIEW",
      originalSentences: ["two", "three"],
      modifiedAt: time,
    });
    expect((await put(id, 1, { metadata: { b: null } })).body.version.metadata).toEqual({ b: null });
    const emptied = await put(id, 1, { metadata: null, originalSentences: [], title: null });
    expect(emptied.body.version).toMatchObject({ metadata: {}, originalSentences: [], title: "Charges" });
    expect((await read(id)).versions).toEqual([emptied.body.version]);
  });

  test("list every fault of a change at once", async () => {
    const { status, body } = await put("x", 0, {
      title: "",
      content: 1,
      metadata: [1],
      originalSentences: [1],
      name: "x",
    });
    expect(status).toBe(400);
    expect(getPaths(body.issues)).toEqual({
      id: "invalid_string",
      versionNumber: "too_small",
      title: "too_small",
      content: "invalid_type",
      metadata: "custom",
      originalSentences: "custom",
      name: "unrecognized_keys",
    });
  });

  test("that are not there are not found", async () => {
    const { id } = await create();
    const read = await api.get(`/v0/documents/${id}/versions/2`);
    for (const answer of [await put(id, 2, { title: "a" }), await activate(id, 2), read]) {
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 404,
        body: { message: "Version not found" },
      });
    }
    for (const wrong of ["0", "-1", "1.5", "x", "2147483648"]) expect((await activate(id, wrong)).status).toBe(400);
  });

  test("have 3 MiB together, so that all of them fit one answer", async () => {
    const content = "x".repeat(1_000_000);
    const { id } = await create({ content });
    for (const expected of [201, 201, 413]) expect((await addVersion(id, { content })).status).toBe(expected);
    const { versions } = await readVersions(id);
    expect(versions.map((each: { content: string }) => each.content.length)).toEqual([1_000_000, 1_000_000, 1_000_000]);
  });
});
