import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const put = (id: string, json: unknown) => api.send("PUT", `/v0/style-guides/${id}`, { json });
const content = [
  { heading: "Tone", content: "Polite and short.", approved: true },
  { heading: "Words", content: "Überweisung 💶, no jargon.\nNever \"'\\" },
];

describe("POST /v0/style-guides", () => {
  test("creates a style guide for the current application; approved may be omitted", async () => {
    const { status, body } = await api.post("/v0/style-guides", { content });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        orgId,
        applicationId,
        content: [content[0], { ...content[1], approved: false }],
      },
    });
  });

  test("content may be empty, and so may what a section says, but all of it must be given", async () => {
    for (const content of [[], [{ heading: "", content: "" }]]) {
      expect((await api.post("/v0/style-guides", { content: content })).status).toBe(201);
    }
    for (const body of [{}, { content: null }]) {
      const answer = await api.post("/v0/style-guides", body);
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toEqual([{ code: "invalid_type", message: "Required", path: ["content"] }]);
    }
  });

  test("lists every fault of the sections at once, with its path", async () => {
    const { status, body } = await api.post("/v0/style-guides", {
      content: [{ heading: "a" }, { heading: 1, content: "b", approved: "yes", colour: "red" }, "c"],
      title: "x",
    });
    expect(status).toBe(400);
    const byPath = body.issues.map(({ code, path }: { code: string; path: string[] }) => `${path.join(".")} ${code}`);
    expect(byPath.sort()).toEqual([
      "content.0.content invalid_type",
      "content.1.approved invalid_type",
      "content.1.colour unrecognized_keys",
      "content.1.heading invalid_type",
      "content.2 invalid_type",
      "title unrecognized_keys",
    ]);
  });

  test("content has at most 1000 sections", async () => {
    const sections = (length: number) => ({ content: Array.from({ length }, () => ({ heading: "a", content: "b" })) });
    expect((await api.post("/v0/style-guides", sections(1000))).status).toBe(201);
    const { status, body } = await api.post("/v0/style-guides", sections(1001));
    expect(status).toBe(400);
    expect(body.issues).toEqual([expect.objectContaining({ code: "too_big", path: ["content"] })]);
  });
});

describe("GET and PUT /v0/style-guides/{id}", () => {
  test("what is put is read, and modifiedAt moves", async () => {
    const { data } = (await api.post("/v0/style-guides", { content })).body;
    expect((await api.get(`/v0/style-guides/${data.id}`)).body).toEqual({ data });
    const changed = await put(data.id, { content: [content[0]] });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({ ...data, content: [content[0]], modifiedAt: expect.any(String) });
    expect(changed.body.data.modifiedAt >= data.modifiedAt).toBe(true);
    expect((await api.get(`/v0/style-guides/${data.id}`)).body).toEqual(changed.body);
    expect((await put(data.id, {})).body.issues).toEqual([expect.objectContaining({ path: ["content"] })]);
  });

  test("an unknown style guide is not found, and an id that is no UUID is an issue", async () => {
    for (const { status, body } of [
      await api.get(`/v0/style-guides/${newId()}`),
      await put(newId(), { content: [] }),
    ]) {
      expect({ status, body }).toEqual({ status: 404, body: { message: "Style guide not found" } });
    }
    expect((await api.get("/v0/style-guides/x")).body.issues).toEqual([
      { code: "invalid_string", message: "Invalid UUID", path: ["id"] },
    ]);
  });
});

test("GET /v0/style-guides is paged, the newest first", async () => {
  const own = (await newTenant()).api;
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push((await own.post("/v0/style-guides", { content: [] })).body.data.id);
  const { status, body } = await own.get("/v0/style-guides?skip=1&limit=1&orderBy=id&orderDir=asc");
  expect(status).toBe(200);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
  expect(body.pagination).toEqual({
    skip: 1,
    limit: 1,
    total: 3,
    totalPages: 3,
    totalCount: 3,
    nextCursor: expect.any(String),
  });
  const newestFirst = (await own.get("/v0/style-guides")).body;
  expect(newestFirst.data.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
  expect((await own.get("/v0/style-guides?orderBy=content&limit=101")).body.issues).toHaveLength(2);
});
