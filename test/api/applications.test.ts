import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const own = await newTenant({ organisation: `Bank ${newId()}`, application: "Support: retail" });

test("GET /v0/applications/{id} returns the application", async () => {
  const { status, body } = await own.api.get(`/v0/applications/${own.applicationId}`);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    id: own.applicationId,
    orgId: own.orgId,
    title: "Support: retail",
    slug: "support-retail",
    description: "",
    context: "",
    language: "en",
    type: "CHATBOT",
    environment: "DEV",
    humanAnnotationEnabled: false,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    modifiedAt: expect.any(String),
  });
});

test("an application that is absent, or another organization's, is not found", async () => {
  const other = await newTenant();
  for (const id of [newId(), other.applicationId, "00000000-0000-0000-0000-000000000000"]) {
    const { status, body } = await own.api.get(`/v0/applications/${id}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: "Application not found" } });
  }
});

describe("POST /v0/applications", () => {
  test("creates an application of the organization; by default a chatbot in development", async () => {
    const title = `Cartões ${newId()}`;
    const { status, body } = await own.api.post("/v0/applications", { title });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      orgId: own.orgId,
      title,
      slug: title.replace("Cartões ", "cartoes-"),
      description: "",
      context: "",
      language: "en",
      type: "CHATBOT",
      environment: "DEV",
      humanAnnotationEnabled: false,
      createdAt: expect.any(String),
      modifiedAt: expect.any(String),
    });
    expect((await own.api.get(`/v0/applications/${body.data.id}`)).body).toEqual(body);
    expect((await own.api.get(`/v0/applications/by-slug/${body.data.slug}`)).body).toEqual(body);
  });

  test("keeps what it is given", async () => {
    const request = {
      title: "Clerk",
      slug: `clerk-${newId()}`,
      description: "Fills forms",
      context: "A town hall",
      language: "pt",
      type: "AGENT",
      environment: "PROD",
      humanAnnotationEnabled: true,
    };
    expect((await own.api.post("/v0/applications", request)).body.data).toMatchObject(request);
  });

  test("a slug that is taken in the organization is a permanent conflict", async () => {
    const slug = `taken-${newId()}`;
    expect((await own.api.post("/v0/applications", { title: "a", slug })).status).toBe(201);
    for (const body of [{ title: "b", slug }, { title: slug.toUpperCase() }]) {
      const answer = await own.api.post("/v0/applications", body);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 409,
        body: { message: "The slug is taken" },
      });
      expect(answer.headers.get("x-should-retry")).toBe("false");
    }
    const other = await newTenant();
    expect((await other.api.post("/v0/applications", { title: "a", slug })).status).toBe(201);
  });

  test("title has 1-255 characters, slug 1-256 of lower-case words joined by hyphens, language is one of nine", async () => {
    const unique = () => newId();
    for (const [body, status] of [
      [{ title: "" }, 400],
      [{ title: "x", slug: unique() }, 201],
      [{ title: "💛".repeat(255), slug: unique() }, 201],
      [{ title: "x".repeat(256), slug: unique() }, 400],
      [{ title: "x", slug: "" }, 400],
      [{ title: "x", slug: unique().padEnd(256, "x") }, 201],
      [{ title: "x", slug: unique().padEnd(257, "x") }, 400],
      [{ title: "x", slug: "a--b" }, 400],
      [{ title: "x", slug: "-a" }, 400],
      [{ title: "x", slug: "a-" }, 400],
      [{ title: "x", slug: "A" }, 400],
      [{ title: "x", slug: "a\n" }, 400],
      [{ title: "x", slug: unique(), language: "sv" }, 201],
      [{ title: "x", slug: unique(), language: "en-GB" }, 400],
      [{ title: "x", slug: unique(), description: "x".repeat(2000), context: "x".repeat(5000) }, 201],
      [{ title: "x", slug: unique(), description: "x".repeat(2001) }, 400],
      [{ title: "x", slug: unique(), context: "x".repeat(5001) }, 400],
    ] as const) {
      expect([body, (await own.api.post("/v0/applications", body)).status]).toEqual([body, status]);
    }
  });

  test("lists every fault at once", async () => {
    const { status, body } = await own.api.post("/v0/applications", {
      slug: "No Slug",
      type: "ROBOT",
      environment: 1,
      humanAnnotationEnabled: "yes",
      owner: "me",
    });
    expect(status).toBe(400);
    const codes = body.issues.map(({ path, code }: { path: string[]; code: string }) => [path.join("."), code]);
    expect(Object.fromEntries(codes)).toEqual({
      title: "invalid_type",
      slug: "invalid_string",
      type: "invalid_enum_value",
      environment: expect.any(String),
      humanAnnotationEnabled: "invalid_type",
      owner: "unrecognized_keys",
    });
  });
});

describe("GET /v0/applications", async () => {
  const tenant = await newTenant({ application: "d" });
  const titles = async (query = "") =>
    (await tenant.api.get(`/v0/applications${query}`)).body.data.map(({ title }: { title: string }) => title);
  for (const [title, type, environment] of [
    ["b", "AGENT", "DEV"],
    ["c", "CHATBOT", "PROD"],
    ["a", "AGENT", "PROD"],
  ]) {
    await tenant.api.post("/v0/applications", { title, type, environment });
  }

  test("lists only the organization's applications, newest first", async () => {
    expect(await titles()).toEqual(["a", "c", "b", "d"]);
    expect((await tenant.api.get("/v0/applications")).body.data[3]).toEqual(
      (await tenant.api.get(`/v0/applications/${tenant.applicationId}`)).body.data,
    );
  });

  test("is paged and ordered", async () => {
    const { body } = await tenant.api.get("/v0/applications?skip=1&limit=2&orderBy=title&orderDir=asc");
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(["b", "c"]);
    expect(body.pagination).toEqual({
      skip: 1,
      limit: 2,
      total: 4,
      totalPages: 2,
      totalCount: 4,
      nextCursor: expect.any(String),
    });
  });

  test("slug, type and environment are filters; lists come repeated or comma-joined", async () => {
    expect(await titles("?slug=d")).toEqual(["d"]);
    expect(await titles("?slug=nobodys")).toEqual([]);
    expect(await titles("?type=AGENT&environment=PROD")).toEqual(["a"]);
    expect(await titles("?humanAnnotationEnabled=true")).toEqual([]);
    expect(await titles("?humanAnnotationEnabled=false&slug=d")).toEqual(["d"]);
    expect(await titles("?type=AGENT,CHATBOT&environment=PROD")).toEqual(["a", "c"]);
    expect(await titles("?type=AGENT&type=CHATBOT&environment=DEV")).toEqual(["b", "d"]);
  });

  test("limit is 1-100, and an unsupported filter value is reported", async () => {
    for (const [query, status] of [
      ["limit=0", 400],
      ["limit=1", 200],
      ["limit=100", 200],
      ["limit=101", 400],
      ["type=ROBOT", 400],
      ["environment=dev", 400],
      ["orderBy=type", 200],
      ["orderBy=environment&orderDir=asc", 200],
      ["orderBy=language", 400],
      ["humanAnnotationEnabled=yes", 400],
      ["title=a", 400],
    ] as const) {
      expect([query, (await tenant.api.get(`/v0/applications?${query}`)).status]).toEqual([query, status]);
    }
  });
});

test("GET /v0/applications/by-slug/{slug}: an absent slug, or another organization's, is not found", async () => {
  const other = await newTenant({ application: `Theirs ${newId()}` });
  const { slug } = (await other.api.get(`/v0/applications/${other.applicationId}`)).body.data;
  for (const absent of [slug, newId(), "No%20slug", "x".repeat(256)]) {
    const { status, body } = await own.api.get(`/v0/applications/by-slug/${absent}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: "Application not found" } });
  }
  expect((await own.api.get(`/v0/applications/by-slug/${"x".repeat(257)}`)).status).toBe(400);
});

test("`by-slug` without a slug is no id of an application", async () => {
  const { status, body } = await own.api.get("/v0/applications/by-slug");
  expect({ status, path: body.issues[0].path }).toEqual({ status: 400, path: ["id"] });
});
