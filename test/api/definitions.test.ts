import { newId } from "@ems/kit/id";
import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const theirs = (await newTenant()).api;

const make = async (path: string, json: object, by = api) => (await by.post(path, json)).body.data.id as string;
const newStyleGuide = (by = api) => make("/v0/style-guides", { content: [] }, by);
const newTopic = (by = api) => make("/v0/topics", { title: "a" }, by);
const newDefinition = (more: object = {}, by = api) =>
  make("/v0/definitions", { type: "FACT", name: "a", ...more }, by);
const put = (id: string, json: unknown) => api.send("PUT", `/v0/definitions/${id}`, { json });
const read = async (id: string) => (await api.get(`/v0/definitions/${id}`)).body.data;
const ok = { status: 204, body: undefined };
const send = async (path: string, json: unknown) => {
  const { status, body } = await api.post(`/v0/definitions/${path}`, json);
  return { status, body };
};
const faults = (body: { issues: { code: string; path: string[] }[] }) =>
  body.issues.map(({ code, path }) => `${path.join(".")} ${code}`).sort();

describe("POST /v0/definitions", () => {
  test("creates an evaluation definition that is linked to nothing", async () => {
    const globalConfig = { criterion: "No jargon" };
    const { status, body } = await api.post("/v0/definitions", { type: "NATURALNESS", name: "Natural", globalConfig });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        type: "NATURALNESS",
        name: "Natural",
        globalConfig,
        styleGuideId: null,
        application: null,
        topics: [],
        calibration: null,
        scale: { low: 1, high: 5, threshold: 3.5 },
      },
    });
    expect((await api.get(`/v0/definitions/${body.data.id}`)).body).toEqual(body);
  });

  test("CUSTOM needs a criterion, STYLE a style guide, which no other type may have", async () => {
    const styleGuideId = await newStyleGuide();
    for (const [more, status, found] of [
      [{ type: "CUSTOM" }, 400, ["globalConfig.criterion custom"]],
      [{ type: "CUSTOM", globalConfig: { criterion: "" } }, 400, ["globalConfig.criterion custom"]],
      [{ type: "CUSTOM", globalConfig: { criterion: "c" } }, 201],
      [{ type: "STYLE" }, 400, ["styleGuideId custom"]],
      [{ type: "STYLE", styleGuideId }, 201],
      [{ type: "STYLE", styleGuideId, globalConfig: { criterion: "c" } }, 201],
      [{ type: "RECALL", styleGuideId }, 400, ["styleGuideId custom"]],
      [{ type: "CUSTOM", styleGuideId }, 400, ["globalConfig.criterion custom", "styleGuideId custom"]],
      [{ type: "RECALL" }, 201],
      [{ type: "RECALL", globalConfig: { criterion: null } }, 201],
      [{ type: "FACT", globalConfig: null, styleGuideId: null }, 201],
    ] as const) {
      const answer = await api.post("/v0/definitions", { name: "a", ...more });
      expect([more, answer.status]).toEqual([more, status]);
      if (found !== undefined) expect(faults(answer.body)).toEqual(found);
    }
  });

  test("lists every fault at once", async () => {
    const { status, body } = await api.post("/v0/definitions", { type: "STYLE", name: "", globalConfig: { a: 1 } });
    expect(status).toBe(400);
    expect(faults(body)).toEqual(["globalConfig.a unrecognized_keys", "name too_small", "styleGuideId custom"]);
    expect(faults((await api.post("/v0/definitions", {})).body)).toEqual(["name invalid_type", "type invalid_type"]);
    const long = { type: "TASTE", name: "x".repeat(256), styleGuideId: "x" };
    expect(faults((await api.post("/v0/definitions", long)).body)).toEqual([
      "name too_big",
      "styleGuideId invalid_string",
      "type invalid_enum_value",
    ]);
  });

  test("a style guide that is not the application's is not found", async () => {
    for (const styleGuideId of [newId(), await newStyleGuide(theirs)]) {
      const { status, body } = await api.post("/v0/definitions", { type: "STYLE", name: "a", styleGuideId });
      expect({ status, body }).toEqual({ status: 404, body: { message: "Style guide not found" } });
    }
  });
});

describe("PUT /v0/definitions/{id}", () => {
  test("changes what is given and keeps the rest", async () => {
    const id = await newDefinition({ globalConfig: { criterion: "c" } });
    const before = await read(id);
    const { status, body } = await put(id, { name: "b" });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, name: "b", modifiedAt: expect.any(String) });
    expect((await put(id, { globalConfig: {} })).body.data).toMatchObject({
      name: "b",
      globalConfig: null,
    });
  });

  test("the changed definition is held to the rules of its type, with the paths of the request", async () => {
    const [first, second] = [await newStyleGuide(), await newStyleGuide()];
    const style = await newDefinition({ type: "STYLE", styleGuideId: first });
    expect((await put(style, { styleGuideId: second })).body.data.styleGuideId).toBe(second);
    for (const [id, json, found] of [
      [style, { styleGuideId: null }, ["styleGuideId custom"]],
      [style, { styleGuideId: "x", name: "" }, ["name too_small", "styleGuideId invalid_string"]],
      [style, { styleGuideId: 3 }, ["styleGuideId invalid_string"]],
      [style, { type: "FACT" }, ["type unrecognized_keys"]],
      [await newDefinition(), { styleGuideId: first }, ["styleGuideId custom"]],
      [
        await newDefinition({ type: "CUSTOM", globalConfig: { criterion: "c" } }),
        { globalConfig: {}, styleGuideId: first },
        ["globalConfig.criterion custom", "styleGuideId custom"],
      ],
    ] as const) {
      const { status, body } = await put(id, json);
      expect([json, status]).toEqual([json, 400]);
      expect(faults(body)).toEqual(found);
    }
    expect((await put(style, { styleGuideId: newId() })).body).toEqual({ message: "Style guide not found" });
    expect((await read(style)).styleGuideId).toBe(second);
  });

  test("an unknown definition is not found", async () => {
    for (const { status, body } of [await put(newId(), { name: "a" }), await api.get(`/v0/definitions/${newId()}`)]) {
      expect({ status, body }).toEqual({ status: 404, body: { message: "Evaluation definition not found" } });
    }
  });
});

test("GET /v0/definitions is paged, and filtered by type and topicId", async () => {
  const own = (await newTenant()).api;
  const topic = await newTopic(own);
  const ids = [];
  for (const type of ["FACT", "RECALL", "NATURALNESS"]) ids.push(await newDefinition({ type, name: type }, own));
  await own.post("/v0/definitions/link-topics", { evalIds: ids.slice(0, 2), topicIds: [topic] });
  const names = async (query: string) =>
    (await own.get(`/v0/definitions?orderBy=name&orderDir=asc&${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names("")).toEqual(["FACT", "NATURALNESS", "RECALL"]);
  expect(await names("type=FACT,RECALL")).toEqual(["FACT", "RECALL"]);
  expect(await names("type=FACT&type=NATURALNESS")).toEqual(["FACT", "NATURALNESS"]);
  expect(await names(`topicId=${topic}`)).toEqual(["FACT", "RECALL"]);
  expect(await names(`topicId=${topic},${newId()}&type=RECALL`)).toEqual(["RECALL"]);
  expect(await names("skip=1&limit=1")).toEqual(["NATURALNESS"]);
  expect((await own.get("/v0/definitions?limit=2")).body.pagination).toEqual({
    skip: 0,
    limit: 2,
    total: 3,
    totalPages: 2,
    totalCount: 3,
    nextCursor: expect.any(String),
  });
  const { body } = await own.get("/v0/definitions?type=TASTE&topicId=x&orderBy=criterion&limit=0");
  expect(faults(body)).toEqual([
    "limit too_small",
    "orderBy invalid_enum_value",
    "topicId.0 invalid_string",
    "type.0 invalid_enum_value",
  ]);
});

describe("POST /v0/definitions/link-application and /unlink-application", () => {
  test("a linked definition shows the application until it is unlinked; both calls are repeatable", async () => {
    const evalIds = [await newDefinition(), await newDefinition()];
    for (let times = 0; times < 2; times++) expect(await send("link-application", { evalIds })).toEqual(ok);
    const { data: application } = (await api.get(`/v0/applications/${applicationId}`)).body;
    for (const id of evalIds) expect((await read(id)).application).toEqual(application);
    for (let times = 0; times < 2; times++) expect(await send("unlink-application", { evalIds })).toEqual(ok);
    for (const id of evalIds) expect((await read(id)).application).toBeNull();
  });
});

describe("POST /v0/definitions/link-topics and /unlink-topics", () => {
  test("associates definitions with topics, which show them with their config", async () => {
    const definition = await newDefinition({ globalConfig: { criterion: "c" } });
    const topicIds = [await newTopic(), await newTopic()];
    const links = { evalIds: [definition], topicIds };
    const readDefinitions = async () => (await api.get(`/v0/topics/${topicIds[0]}`)).body.data.evalDefinitions;
    expect(await readDefinitions()).toEqual([]);
    for (const [config, expected] of [
      [{}, null],
      [{ config: { expected: ["one", ""] } }, { expected: ["one", ""] }],
      [{ config: { expected: "Names both documents" } }, { expected: "Names both documents" }],
      [{}, { expected: "Names both documents" }],
    ] as const) {
      expect(await send("link-topics", { ...links, ...config })).toEqual(ok);
      expect(await readDefinitions()).toEqual([
        { topicId: topicIds[0], evalDefinition: await read(definition), config: expected },
      ]);
    }
    expect((await read(definition)).topics).toEqual([...topicIds].sort());
    const listed = (await api.get("/v0/topics?limit=100")).body.data.find(
      ({ id }: { id: string }) => id === topicIds[0],
    );
    expect(listed.evalDefinitions).toEqual(await readDefinitions());

    const unlinked = { evalIds: [definition], topicIds: topicIds.slice(0, 1) };
    for (let times = 0; times < 2; times++) expect(await send("unlink-topics", unlinked)).toEqual(ok);
    expect(await readDefinitions()).toEqual([]);
    expect((await read(definition)).topics).toEqual(topicIds.slice(1));
  });
});

describe("all that link and unlink", () => {
  const lists = {
    "link-application": ["evalIds"],
    "unlink-application": ["evalIds"],
    "link-topics": ["evalIds", "topicIds"],
    "unlink-topics": ["evalIds", "topicIds"],
    link: ["evalIds", "taskIds"],
    unlink: ["evalIds", "taskIds"],
  };

  test.each(Object.entries(lists))("%s takes 1-100 ids in each list", async (path, names) => {
    const body = (ids: unknown) => Object.fromEntries(names.map((name) => [name, ids]));
    for (const [ids, code] of [
      [[], "too_small"],
      [Array.from({ length: 101 }, newId), "too_big"],
      ["x", "invalid_type"],
    ] as const) {
      const answer = await send(path, body(ids));
      expect(answer.status).toBe(400);
      expect(faults(answer.body)).toEqual(names.map((name) => `${name} ${code}`).sort());
    }
    const missing = await send(path, {});
    expect(faults(missing.body)).toEqual(names.map((name) => `${name} invalid_type`).sort());
    const wrong = await send(path, body([newId(), "x"]));
    expect(faults(wrong.body)).toEqual(names.map((name) => `${name}.1 invalid_string`).sort());
    // 100 ids pass validation; the next check finds that they are missing.
    expect((await send(path, body(Array.from({ length: 100 }, newId)))).status).toBe(404);
  });

  test.each(Object.entries(lists))("%s changes nothing when an id is unknown or another's", async (path, names) => {
    const [own, topic] = [await newDefinition(), await newTopic()];
    const ids = { evalIds: [own], topicIds: [topic], taskIds: [] as string[] };
    const unlinks = path.startsWith("un");
    if (unlinks) {
      await send("link-application", { evalIds: [own] });
      await send("link-topics", { evalIds: [own], topicIds: [topic] });
    }
    const before = await read(own);
    const foreignIds = {
      evalIds: { ids: [newId(), await newDefinition({}, theirs)], what: "Evaluation definition" },
      topicIds: { ids: [newId(), await newTopic(theirs)], what: "Topic" },
      taskIds: { ids: [newId()], what: "Task" },
    };
    for (const name of names as (keyof typeof foreignIds)[]) {
      for (const id of foreignIds[name].ids) {
        const json = Object.fromEntries((names as (keyof typeof ids)[]).map((other) => [other, ids[other]]));
        // Tasks have tests of their own: here, an unknown task is sent with an unknown definition.
        if (names.includes("taskIds")) json.taskIds = [newId()];
        json[name] = [...ids[name], id];
        expect(await send(path, json)).toEqual({
          status: 404,
          body: { message: `${foreignIds[name].what} not found` },
        });
      }
    }
    expect(await read(own)).toEqual(before);
  });
});

test("a definition's application is of the same organization", async () => {
  const id = await newDefinition();
  await send("link-application", { evalIds: [id] });
  expect((await read(id)).application).toMatchObject({ id: applicationId, orgId });
});
