import { newId } from "@ems/kit/id";
import { beforeAll, describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const other = await newTenant();
const put = (id: string, json: unknown) => api.send("PUT", `/v0/experiments/${id}`, { json });
const step = async (by = api) =>
  (await by.post("/v0/inference-steps", { title: "Ask", type: "LLM" })).body.data.id as string;
const getIssues = (body: { issues: { path: string[]; code: string }[] }) =>
  Object.fromEntries(body.issues.map(({ path, code }) => [path.join("."), code]));

describe("POST /v0/experiments", () => {
  test("creates an experiment with status DRAFT; only the title is required", async () => {
    const { status, body } = await api.post("/v0/experiments", { title: "Shorter prompts" });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        title: "Shorter prompts",
        description: "",
        status: "DRAFT",
        inferenceStepIds: [],
        taskIds: [],
        assignee: null,
        promotedVariantId: null,
        taskSet: null,
      },
    });
    expect((await api.get(`/v0/experiments/${body.data.id}`)).body).toEqual(body);
  });

  test("takes description, assignee and inference steps of the application", async () => {
    const request = {
      title: "t",
      description: "d",
      assignee: "user-1",
      inferenceStepIds: [await step(), await step()],
    };
    expect((await api.post("/v0/experiments", request)).body.data).toMatchObject(request);
  });

  test("title is 1-255 characters", async () => {
    for (const [title, status] of [
      ["", 400],
      ["x", 201],
      ["💶".repeat(255), 201],
      ["x".repeat(256), 400],
    ] as const) {
      expect((await api.post("/v0/experiments", { title })).status).toBe(status);
    }
  });

  test("an inference step or task that is not the application's is not found, and nothing is created", async () => {
    const before = (await api.get("/v0/experiments")).body.pagination.total;
    for (const [ids, message] of [
      [{ inferenceStepIds: [newId()] }, "Inference step not found"],
      [{ inferenceStepIds: [await step(), await step(other.api)] }, "Inference step not found"],
      [{ taskIds: [newId()] }, "Task not found"],
    ] as const) {
      const { status, body } = await api.post("/v0/experiments", { title: "refused", ...ids });
      expect({ status, body }).toEqual({ status: 404, body: { message } });
    }
    expect((await api.get("/v0/experiments")).body.pagination.total).toBe(before);
  });

  test("lists every fault of a body at once", async () => {
    const { status, body } = await api.post("/v0/experiments", {
      description: 1,
      assignee: "",
      inferenceStepIds: ["x"],
      taskIds: Array(1001).fill(newId()),
      status: "RUNNING",
    });
    expect(status).toBe(400);
    expect(getIssues(body)).toEqual({
      title: "invalid_type",
      description: "invalid_type",
      assignee: "too_small",
      "inferenceStepIds.0": "invalid_string",
      taskIds: "too_big",
      status: "unrecognized_keys",
    });
  });
});

describe("PUT /v0/experiments/{id}", () => {
  test("changes what is given; assignee null unassigns", async () => {
    const { data } = (await api.post("/v0/experiments", { title: "old", assignee: "user-1" })).body;
    const changed = await put(data.id, { title: "new", description: "why" });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({
      ...data,
      title: "new",
      description: "why",
      modifiedAt: expect.any(String),
    });
    expect((await put(data.id, { assignee: null })).body.data).toMatchObject({ title: "new", assignee: null });
    expect((await put(data.id, { assignee: "user-2" })).body.data.assignee).toBe("user-2");
  });

  test("status moves forward only; a move back is a conflict", async () => {
    const { data } = (await api.post("/v0/experiments", { title: "a" })).body;
    const course = ["BASELINE_PENDING", "BASELINE_RUNNING", "BASELINE_COMPLETED", "RUNNING", "COMPLETED", "ARCHIVED"];
    for (const status of course) expect((await put(data.id, { status })).body.data.status).toBe(status);
    const { status, headers, body } = await put(data.id, { status: "DRAFT", title: "b" });
    expect({ status, body }).toEqual({
      status: 409,
      body: { message: "The experiment is ARCHIVED and cannot become DRAFT" },
    });
    expect(headers.get("x-should-retry")).toBe("false");
    expect((await api.get(`/v0/experiments/${data.id}`)).body.data).toMatchObject({ title: "a", status: "ARCHIVED" });
  });

  test("says what to change", async () => {
    const { data } = (await api.post("/v0/experiments", { title: "a" })).body;
    for (const [json, issues] of [
      [{}, { "": "custom" }],
      [
        { assignee: 1, status: "NEW", title: "" },
        { assignee: "custom", status: "invalid_enum_value", title: "too_small" },
      ],
      [{ assignee: "x".repeat(256) }, { assignee: "custom" }],
    ] as const) {
      const { status, body } = await put(data.id, json);
      expect([status, getIssues(body)]).toEqual([400, issues]);
    }
  });

  test("an experiment that is not there is not found", async () => {
    for (const { status, body } of [await put(newId(), { title: "a" }), await api.get(`/v0/experiments/${newId()}`)]) {
      expect({ status, body }).toEqual({ status: 404, body: { message: "Experiment not found" } });
    }
  });
});

describe("GET /v0/experiments", () => {
  beforeAll(async () => {
    for (const letter of ["c", "b", "a"]) {
      await api.post("/v0/experiments", { title: `page ${letter}`, description: "paged", assignee: `user-${letter}` });
    }
  });

  test("is paged, ordered, searched and filtered", async () => {
    const titles = async (query: string) =>
      (await api.get(`/v0/experiments?${query}`)).body.data.map(({ title }: { title: string }) => title);
    expect(await titles("search=PAGED&orderBy=title&orderDir=asc&skip=1&limit=1")).toEqual(["page b"]);
    expect(await titles("search=page+c")).toEqual(["page c"]);
    expect(await titles("assignee=user-a&status=DRAFT,RUNNING")).toEqual(["page a"]);
    expect(await titles("assignee=user-a&status=RUNNING")).toEqual([]);
    expect((await api.get("/v0/experiments?search=paged&limit=2")).body.pagination).toEqual({
      skip: 0,
      limit: 2,
      total: 3,
      totalPages: 2,
      totalCount: 3,
      nextCursor: expect.any(String),
    });
  });

  test("lists every fault of a query at once", async () => {
    const { status, body } = await api.get("/v0/experiments?limit=101&skip=-1&orderBy=assignee&status=NEW&assignee=");
    expect(status).toBe(400);
    expect(getIssues(body)).toEqual({
      limit: "too_big",
      skip: "too_small",
      orderBy: "invalid_enum_value",
      "status.0": "invalid_enum_value",
    });
  });
});
