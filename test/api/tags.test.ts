import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const put = (path: string, json: unknown) => api.send("PUT", path, { json });
const statusAndBody = ({ status, body }: { status: number; body: unknown }) => ({ status, body });
const done = { status: 204, body: undefined };
const tagNotFound = { status: 404, body: { message: "Tag not found" } };
const taskNotFound = { status: 404, body: { message: "Task not found" } };
const newTag = async (name: string = newId()) => (await api.post("/v0/tags", { name })).body.data;
const newTask = async () => (await api.post("/v0/tasks", { title: "a", description: "b" })).body.task.id as string;
const readTags = async (id: string) =>
  (await api.get(`/v0/tasks/${id}/tags`)).body.data.map((tag: { id: string }) => tag.id).sort();

describe("POST /v0/tags", () => {
  test("creates a tag, blue and without description when nothing is said", async () => {
    const { status, body } = await api.post("/v0/tags", { name: "regression" });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        name: "regression",
        color: "#3B82F6",
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        orgId,
        applicationId,
        status: "ACTIVE",
        description: null,
      },
    });
  });

  test("a name that an active tag has is a conflict, until that one is archived", async () => {
    const { id } = await newTag("taken");
    const { status, body, headers } = await api.post("/v0/tags", { name: "taken" });
    expect([status, body]).toEqual([409, { message: "An active tag with this name already exists" }]);
    expect(headers.get("x-should-retry")).toBe("false");
    expect(statusAndBody(await api.post(`/v0/tags/${id}/archive`))).toEqual(done);
    expect((await api.post("/v0/tags", { name: "taken" })).status).toBe(201);
  });

  test("name has 1-255 characters, color is # and six hexadecimal digits", async () => {
    for (const [body, status] of [
      [{ name: "" }, 400],
      [{ name: "x" }, 201],
      [{ name: "💛".repeat(255) }, 201],
      [{ name: "x".repeat(256) }, 400],
      [{ name: "c1", color: "#00ffAA" }, 201],
      [{ name: "c2", color: "#00ffA" }, 400],
      [{ name: "c3", color: "00ffAA" }, 400],
      [{ name: "c4", color: "#00ffAA\n" }, 400],
      [{ name: "c5", color: "red" }, 400],
    ] as const) {
      expect([body, (await api.post("/v0/tags", body)).status]).toEqual([body, status]);
    }
    const { body } = await api.post("/v0/tags", { color: "red", description: 1, status: "ACTIVE" });
    expect(body.issues.map(({ path }: { path: string[] }) => path.join(".")).sort()).toEqual([
      "color",
      "description",
      "name",
      "status",
    ]);
  });
});

test("PUT /v0/tags/{id} changes what is given", async () => {
  const tag = await newTag("before");
  const path = `/v0/tags/${tag.id}`;
  for (const change of [{}, { name: "after" }, { color: "#000000", description: "told" }, { description: null }]) {
    const { status, body } = await put(path, change);
    expect([status, body.data]).toEqual([200, { ...tag, ...change, modifiedAt: expect.any(String) }]);
    Object.assign(tag, change);
    expect((await api.get(path)).body).toEqual(body);
  }
  // Null of a field that cannot be cleared leaves it unchanged.
  expect((await put(path, { name: null, color: null })).body.data).toMatchObject({ name: "after", color: "#000000" });
  await newTag("another's");
  expect((await put(`/v0/tags/${tag.id}`, { name: "another's" })).status).toBe(409);
  expect((await put(`/v0/tags/${tag.id}`, { name: "", color: "", status: "ARCHIVED" })).body.issues).toHaveLength(3);
  expect((await put(path, { description: 1 })).body.issues).toMatchObject([{ code: "invalid_type" }]);
  expect(statusAndBody(await put(`/v0/tags/${newId()}`, { name: "a" }))).toEqual(tagNotFound);
  expect(statusAndBody(await api.get(`/v0/tags/${newId()}`))).toEqual(tagNotFound);
});

test("POST /v0/tags/{id}/archive takes a tag out of the list, repeatably", async () => {
  const { id } = await newTag("leaving");
  for (const body of [undefined, {}])
    expect(statusAndBody(await api.post(`/v0/tags/${id}/archive`, body))).toEqual(done);
  expect((await api.get("/v0/tags?search=leaving")).body.data).toEqual([]);
  expect((await api.get("/v0/tags?search=leaving&status=ARCHIVED,ACTIVE")).body.data).toMatchObject([
    { id, status: "ARCHIVED" },
  ]);
  expect(statusAndBody(await api.post(`/v0/tags/${newId()}/archive`))).toEqual(tagNotFound);
});

describe("GET /v0/tags", () => {
  const found = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);
  beforeAll(async () => {
    for (const name of ["page c", "page b", "page a"])
      await api.post("/v0/tags", { name, description: `Listed ${name}` });
  });

  test("is paged, the newest first", async () => {
    const { body } = await api.get("/v0/tags?search=page&skip=1&limit=2");
    expect(found(body)).toEqual(["page b", "page c"]);
    expect(body.pagination).toEqual({ skip: 1, limit: 2, total: 3, totalPages: 2, totalCount: 3, nextCursor: null });
  });

  test("orders by createdAt, modifiedAt, name, status or id, asc or desc", async () => {
    for (const orderBy of ["createdAt", "modifiedAt", "name", "status", "id"]) {
      for (const orderDir of ["asc", "desc"]) {
        const { status, body } = await api.get(`/v0/tags?search=page&orderBy=${orderBy}&orderDir=${orderDir}`);
        const sorted = ["page a", "page b", "page c"];
        // All are ACTIVE, and their ids are ordered by time.
        const isRising = (orderBy === "name") === (orderDir === "asc");
        expect([status, found(body)]).toEqual([200, isRising ? sorted : sorted.toReversed()]);
      }
    }
  });

  test("search is matched against name and description, whatever the case", async () => {
    expect(found((await api.get("/v0/tags?search=LISTED+PAGE+B")).body)).toEqual(["page b"]);
    expect(found((await api.get("/v0/tags?search=Page+C")).body)).toEqual(["page c"]);
    expect(found((await api.get("/v0/tags?search=%25")).body)).toEqual([]);
    const empty = await api.get("/v0/tags?search=&status=&orderBy=&orderDir=&skip=&limit=");
    expect(empty.body).toEqual((await api.get("/v0/tags")).body);
  });

  test("limit is 1-100, skip 0-9007199254740991, and every fault of a query is listed at once", async () => {
    for (const [query, status] of [
      ["limit=1", 200],
      ["limit=100", 200],
      ["skip=9007199254740991", 200],
    ] as const) {
      expect([query, (await api.get(`/v0/tags?${query}`)).status]).toEqual([query, status]);
    }
    const { status, body } = await api.get(
      "/v0/tags?limit=101&skip=9007199254740992&orderBy=color&orderDir=up&status=DRAFT&name=x",
    );
    expect(status).toBe(400);
    expect(body.issues.map(({ path }: { path: string[] }) => path.join(".")).sort()).toEqual(
      ["limit", "skip", "orderBy", "orderDir", "status.0", "name"].sort(),
    );
  });
});

describe("POST /v0/tasks/tags, POST /v0/tasks/untag and GET /v0/tasks/{id}/tags", () => {
  test("adds each tag to each task, repeatably, and lists them without pagination", async () => {
    const [taskIds, tags] = [
      [await newTask(), await newTask()],
      [await newTag(), await newTag()],
    ];
    const body = { taskIds, tagIds: tags.map(({ id }) => id) };
    for (const _ of ["once", "again"]) expect(statusAndBody(await api.post("/v0/tasks/tags", body))).toEqual(done);
    for (const id of taskIds) {
      const answer = (await api.get(`/v0/tasks/${id}/tags`)).body;
      expect(Object.keys(answer)).toEqual(["data"]);
      expect(answer.data).toEqual(tags.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    }
  });

  test("untags, and untagging what is not tagged is no error", async () => {
    const [id, gone, remaining] = [await newTask(), (await newTag()).id, (await newTag()).id];
    await api.post("/v0/tasks/tags", { taskIds: [id], tagIds: [gone, remaining] });
    for (const _ of ["once", "again"]) {
      expect(statusAndBody(await api.post("/v0/tasks/untag", { taskIds: [id], tagIds: [gone] }))).toEqual(done);
      expect(await readTags(id)).toEqual([remaining]);
    }
  });

  test("all tasks and tags must exist and belong to the same organization, else nothing is changed", async () => {
    const other = (await newTenant()).api;
    const foreignTag = (await other.post("/v0/tags", { name: "theirs" })).body.data.id;
    const foreignTask = (await other.post("/v0/tasks", { title: "a", description: "b" })).body.task.id;
    const [id, remaining, tag] = [await newTask(), (await newTag()).id, (await newTag()).id];
    await api.post("/v0/tasks/tags", { taskIds: [id], tagIds: [remaining] });
    for (const [taskIds, tagIds, expected] of [
      [[id, newId()], [tag, remaining], taskNotFound],
      [[id, foreignTask], [tag, remaining], taskNotFound],
      [[id], [tag, remaining, newId()], tagNotFound],
      [[id], [tag, remaining, foreignTag], tagNotFound],
    ] as const) {
      for (const path of ["/v0/tasks/tags", "/v0/tasks/untag"]) {
        expect(statusAndBody(await api.post(path, { taskIds, tagIds }))).toEqual(expected);
      }
    }
    expect(await readTags(id)).toEqual([remaining]);
  });

  test("taskIds and tagIds have at least 1 item, at most 1000, of UUIDs", async () => {
    const [task, tag] = [await newTask(), (await newTag()).id];
    const many = Array.from({ length: 1001 }, newId);
    for (const path of ["/v0/tasks/tags", "/v0/tasks/untag"]) {
      for (const [body, code, at] of [
        [{ taskIds: [], tagIds: [tag] }, "too_small", "taskIds"],
        [{ taskIds: [task], tagIds: [] }, "too_small", "tagIds"],
        [{ taskIds: [task] }, "invalid_type", "tagIds"],
        [{ taskIds: many, tagIds: [tag] }, "too_big", "taskIds"],
        [{ taskIds: [task], tagIds: many }, "too_big", "tagIds"],
        [{ taskIds: [task], tagIds: [tag, "x"] }, "invalid_string", "tagIds.1"],
        [{ taskIds: many.slice(1), tagIds: many.slice(0, 101) }, "custom", "tagIds"],
      ] as const) {
        const { status, body: answer } = await api.post(path, body);
        const [issue] = answer.issues;
        expect([status, answer.issues.length, issue.code, issue.path.join(".")]).toEqual([400, 1, code, at]);
      }
      // The limits are met; the tasks do not exist.
      expect(statusAndBody(await api.post(path, { taskIds: many.slice(1), tagIds: [tag] }))).toEqual(taskNotFound);
    }
  });

  test("PUT replaces all tags of a task, repeatably, and answers them; an empty list removes all", async () => {
    const [id, tags] = [await newTask(), [await newTag("1 set"), await newTag("2 set"), await newTag("3 set")]];
    for (const set of [tags.slice(0, 2), tags.slice(1), tags.slice(1), []]) {
      const tagIds = set.map(({ id }) => id).reverse();
      const answer = await put(`/v0/tasks/${id}/tags`, { tagIds });
      expect(statusAndBody(answer)).toEqual({ status: 200, body: { data: set } });
      expect((await api.get(`/v0/tasks/${id}/tags`)).body).toEqual({ data: set });
    }
    for (const [body, code, at] of [
      [{}, "invalid_type", "tagIds"],
      [{ tagIds: null }, "invalid_type", "tagIds"],
      [{ tagIds: ["x"] }, "invalid_string", "tagIds.0"],
      [{ tagIds: Array.from({ length: 101 }, newId) }, "too_big", "tagIds"],
    ] as const) {
      const [issue] = (await put(`/v0/tasks/${id}/tags`, body)).body.issues;
      expect([issue.code, issue.path.join(".")]).toEqual([code, at]);
    }
    expect(statusAndBody(await put(`/v0/tasks/${id}/tags`, { tagIds: [newId()] }))).toEqual(tagNotFound);
    expect(statusAndBody(await put(`/v0/tasks/${newId()}/tags`, { tagIds: [] }))).toEqual(taskNotFound);
  });

  test("the tags of a task that is not there are not found", async () => {
    expect(statusAndBody(await api.get(`/v0/tasks/${newId()}/tags`))).toEqual(taskNotFound);
  });
});
