import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const other = await newTenant();
const text = { title: "Fees", content: "An account costs nothing." };
const statuses = ["DRAFT", "REVIEW", "APPROVED", "ARCHIVED", "ACTIVE"];
const create = async (overrides: object = {}) =>
  (await api.post("/v0/documents", { ...text, ...overrides })).body.document;
const read = async (id: string) => (await api.get(`/v0/documents/${id}`)).body.document;
const addVersion = (id: string, overrides: object = {}) =>
  api.post(`/v0/documents/${id}/versions`, { ...text, ...overrides });
const getPaths = (issues: { path: string[]; code: string }[]) =>
  Object.fromEntries(issues.map(({ path, code }) => [path.join("."), code]));

describe("GET /v0/documents", () => {
  const every = `status=${statuses.join(",")}`;
  const titles = async (query: string) =>
    (await api.get(`/v0/documents?search=listed&${query}`)).body.data.map(({ title }: { title: string }) => title);
  let topicId: string;

  beforeAll(async () => {
    topicId = (await api.post("/v0/topics", { title: "Listed" })).body.data.id;
    for (const overrides of [
      { title: "c listed", status: "ARCHIVED" },
      { title: "b", content: "LISTED in content", topicId },
      { title: "a listed", assignee: "user with, comma" },
    ]) {
      await addVersion((await create(overrides)).id, { title: "listed, not active", status: "ACTIVE" });
    }
  });

  test("is paged and searched in title and content of the active version", async () => {
    expect(await titles(every)).toEqual(["a listed", "b", "c listed"]);
    const { body } = await api.get(`/v0/documents?${every}&search=listed&skip=1&limit=1&orderBy=title&orderDir=asc`);
    const whole = await read(body.data[0].id);
    expect(body.data).toEqual([{ ...whole, versions: whole.versions.slice(1) }]);
    expect(body.data[0]).toMatchObject({ topicId, title: "b" });
    expect(body.pagination).toEqual({
      skip: 1,
      limit: 1,
      total: 3,
      totalPages: 3,
      totalCount: 3,
      nextCursor: expect.any(String),
    });
    expect((await other.api.get("/v0/documents?search=listed")).body.data).toEqual([]);
  });

  test("filters by status of the active version, assignee and topic", async () => {
    expect(await titles("status=ARCHIVED,DRAFT")).toHaveLength(3);
    expect(await titles("status=ARCHIVED")).toEqual(["c listed"]);
    expect(await titles("status=ACTIVE")).toEqual([]);
    expect(await titles(`${every}&assignee=user%20with%2C%20comma`)).toEqual(["a listed"]);
    expect(await titles(`${every}&topicId=${topicId}`)).toEqual(["b"]);
    expect(await titles(`topicId=${topicId}&status=ARCHIVED`)).toEqual([]);
  });

  test("lists every fault of a query at once", async () => {
    const { status, body } = await api.get(
      "/v0/documents?limit=0&skip=-1&orderBy=content&orderDir=up&status=NEW&topicId=1&type=A&documentStatus=REVIEW&tagId=1&startDate=x",
    );
    expect(status).toBe(400);
    expect(Object.keys(getPaths(body.issues)).sort()).toEqual(
      [
        "documentStatus",
        "limit",
        "orderBy",
        "orderDir",
        "skip",
        "startDate",
        "status.0",
        "tagId.0",
        "topicId",
        "type",
      ].sort(),
    );
  });

  test("lists visible documents of type KNOWLEDGE with an approved version; filters widen that", async () => {
    const own = await newTenant();
    const make = async (title: string, fields: object) =>
      (await own.api.post("/v0/documents", { title, content: "x", ...fields })).body.document;
    await make("approved", { status: "APPROVED", metadata: { step: "done" }, scrapeJobId: "job" });
    await make("draft", {});
    const policy = await make("policy", { status: "APPROVED", type: "POLICY" });
    const tag = (await own.api.post("/v0/tags", { name: "t" })).body.data;
    await own.api.send("PUT", `/v0/documents/${policy.id}/tags`, { json: { tagIds: [tag.id] } });
    for (const [query, found] of [
      ["", ["approved"]],
      ["status=", ["approved"]],
      ["documentStatus=ACTIVE&orderBy=id&orderDir=asc", ["approved", "draft"]],
      ["status=DRAFT", ["draft"]],
      ["type=POLICY", ["policy"]],
      [`type=POLICY&tagId=${tag.id},${newId()}`, ["policy"]],
      [`tagId=${tag.id}`, []],
      ["documentStatus=DRAFT", []],
      ["metadataStep=done", ["approved"]],
      ["metadataStep=other", []],
      ["scrapeJobId=job&scrapeJobId=other", ["approved"]],
      ["startDate=2020-01-01&endDate=2120-01-01T00:00:00%2B02:00", ["approved"]],
      ["endDate=2020-01-01", []],
      [`fileProcessingId=${newId()}`, []],
    ] as const) {
      const { status, body } = await own.api.get(`/v0/documents?${query}`);
      expect([query, status, body.data?.map(({ title }: { title: string }) => title)]).toEqual([query, 200, found]);
    }
  });

  test("a page over 3 MiB is an issue on limit", async () => {
    const big = await newTenant();
    for (let made = 0; made < 4; made++) {
      await big.api.post("/v0/documents", { title: "big", content: "x".repeat(1_000_000), status: "APPROVED" });
    }
    const { status, body } = await big.api.get("/v0/documents");
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ code: "custom", message: expect.stringContaining("3 MiB"), path: ["limit"] }]);
    expect((await big.api.get("/v0/documents?limit=3")).body.data).toHaveLength(3);
  });
});
