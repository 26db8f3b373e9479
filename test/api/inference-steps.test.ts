import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const other = await newTenant();

describe("POST /v0/inference-steps", () => {
  test("creates an inference step", async () => {
    const request = { title: "Find passages", description: "top 5", type: "RETRIEVER", externalId: "retrieve-1" };
    const { status, body } = await api.post("/v0/inference-steps", request);
    expect(status).toBe(201);
    expect(body).toEqual({
      data: { id: expect.any(String), createdAt: expect.any(String), modifiedAt: expect.any(String), ...request },
    });
  });

  test("externalId and description may be omitted", async () => {
    const { body } = await api.post("/v0/inference-steps", { title: "Ask", type: "LLM" });
    expect(body.data).toMatchObject({ externalId: null, description: "" });
  });

  test("an externalId is unique in the application, and free in another", async () => {
    const step = { title: "a", type: "LLM", externalId: "same" };
    expect((await api.post("/v0/inference-steps", step)).status).toBe(201);
    const { status, headers, body } = await api.post("/v0/inference-steps", step);
    expect({ status, body }).toEqual({
      status: 409,
      body: { message: "An inference step with this externalId exists" },
    });
    expect(headers.get("x-should-retry")).toBe("false");
    expect((await other.api.post("/v0/inference-steps", step)).status).toBe(201);
  });

  test("lists every fault of a body at once", async () => {
    for (const [json, issues] of [
      [
        {},
        [
          ["title", "invalid_type"],
          ["type", "invalid_type"],
        ],
      ],
      [
        { title: "x".repeat(256), type: "TOOL", externalId: "", description: "x".repeat(10_001) },
        [
          ["description", "too_big"],
          ["externalId", "too_small"],
          ["title", "too_big"],
          ["type", "invalid_enum_value"],
        ],
      ],
    ] as const) {
      const { status, body } = await api.post("/v0/inference-steps", json);
      expect(status).toBe(400);
      const issuePaths = body.issues.map(({ path, code }: { path: string[]; code: string }) => [path.join("."), code]);
      expect(issuePaths.sort()).toEqual(issues);
    }
  });
});

test("GET /v0/inference-steps is paged and ordered, and holds the application's steps only", async () => {
  const { api: own } = await newTenant();
  for (const [title, type] of [
    ["a", "LLM"],
    ["b", "RETRIEVER"],
    ["c", "LLM"],
  ]) {
    await own.post("/v0/inference-steps", { title, type });
  }
  const titles = async (query: string) =>
    (await own.get(`/v0/inference-steps?${query}`)).body.data.map(({ title }: { title: string }) => title);
  expect(await titles("")).toEqual(["c", "b", "a"]);
  expect(await titles("orderBy=title&orderDir=asc&skip=1&limit=1")).toEqual(["b"]);
  expect((await titles("orderBy=type&orderDir=desc"))[0]).toBe("b");
  expect((await own.get("/v0/inference-steps?limit=2")).body.pagination).toEqual({
    skip: 0,
    limit: 2,
    total: 3,
    totalPages: 2,
    totalCount: 3,
    nextCursor: expect.any(String),
  });
  for (const [query, status] of [
    ["limit=0", 400],
    ["limit=1", 200],
    ["limit=100", 200],
    ["limit=101", 400],
    ["skip=-1", 400],
    ["skip=9007199254740991", 200],
    ["skip=9007199254740992", 400],
    ["orderBy=externalId", 400],
    ["orderDir=up", 400],
  ] as const) {
    expect([query, (await own.get(`/v0/inference-steps?${query}`)).status]).toEqual([query, status]);
  }
});
