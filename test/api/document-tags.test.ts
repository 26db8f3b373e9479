import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const newDocument = async () =>
  (await api.post("/v0/documents", { title: "Fees", content: "None.", status: "APPROVED" })).body.document.id;
const newTag = async (name: string) => (await api.post("/v0/tags", { name })).body.data;
const put = (id: string, json: object) => api.send("PUT", `/v0/documents/${id}/tags`, { json });

test("PUT /v0/documents/{id}/tags replaces all tags, GET lists them by name", async () => {
  const id = await newDocument();
  const [b, a] = [await newTag("b"), await newTag("a")];
  expect((await api.get(`/v0/documents/${id}/tags`)).body).toEqual({ data: [] });
  for (const [tagIds, data] of [
    [
      [b.id, a.id],
      [a, b],
    ],
    [[b.id], [b]],
    [[], []],
    [[a.id], [a]],
  ]) {
    const { status, body } = await put(id, { tagIds });
    expect({ status, body }).toEqual({ status: 200, body: { data } });
    expect((await api.get(`/v0/documents/${id}/tags`)).body).toEqual(body);
  }
  const core = { id: a.id, name: "a", color: a.color };
  expect((await api.get("/v0/documents")).body.data).toMatchObject([{ id, tags: [core] }]);
});

test("documents and tags have to be there, and there are at most 100 tags", async () => {
  const id = await newDocument();
  const other = await newTenant();
  const foreign = (await other.api.post("/v0/tags", { name: "theirs" })).body.data.id;
  for (const tagIds of [[newId()], [foreign]]) {
    const { status, body } = await put(id, { tagIds });
    expect({ status, body }).toEqual({ status: 404, body: { message: "Tag not found" } });
  }
  const many = await put(id, { tagIds: Array.from({ length: 101 }, () => newId()) });
  expect(many.body.issues).toMatchObject([{ code: "too_big", path: ["tagIds"] }]);
  expect((await put(id, {})).body.issues).toMatchObject([{ code: "invalid_type", path: ["tagIds"] }]);
});

test("GET /v0/documents/chunked has the texts of active versions in chunks", async () => {
  const own = await newTenant();
  const content = "# Fees\n\nNone.\n\n# Cards\n\nFree.";
  const { document } = (await own.api.post("/v0/documents", { title: "Bank", content })).body;
  const { status, body } = await own.api.get(`/v0/documents/chunked?documentId=${document.id}&skip=1&limit=1`);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      {
        chunkIndex: 1,
        content: "# Cards\n\nFree.",
        documentId: document.id,
        documentName: "Bank",
        title: "Cards",
        versionId: document.versions[0].id,
      },
    ],
    pagination: { skip: 1, limit: 1, total: 2, totalPages: 2, totalCount: 2, nextCursor: null },
  });
  expect((await own.api.get("/v0/documents/chunked?status=APPROVED")).body.data).toEqual([]);
});
