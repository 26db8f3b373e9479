import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const topicId = (await api.post("/v0/topics", { title: "Accounts" })).body.data.id;
const put = (id: string, json: unknown) => api.send("PUT", `/v0/facts/${id}`, { json });

interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
}
const faults = ({ issues }: { issues?: Issue[] }) =>
  (issues ?? []).map(({ code, path }) => `${path.join(".")} ${code}`).sort();

test("POST /v0/facts creates a fact, GET and PUT /v0/facts/{id} read and change it", async () => {
  const { status, body } = await api.post("/v0/facts", { statement: "Free.", scope: "TOPIC", topicIds: [topicId] });
  expect(status).toBe(201);
  expect(body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    applicationId,
    orgId,
    createdAt: expect.any(String),
    modifiedAt: expect.any(String),
    statement: "Free.",
    scope: "TOPIC",
    status: "ACTIVE",
    isVerified: false,
    sourceQuote: null,
    sourceDocumentId: null,
    quickstartId: null,
    generatedBy: null,
    topicIds: [topicId],
    topics: [{ id: topicId, title: "Accounts" }],
  });
  const { data } = body;
  expect((await api.get(`/v0/facts/${data.id}`)).body).toEqual({ data });
  const changed = await put(data.id, { isVerified: true, topicIds: null, sourceQuote: "It is free." });
  const change = { isVerified: true, topicIds: [], topics: [], sourceQuote: "It is free." };
  expect(changed).toMatchObject({
    status: 200,
    body: { data: { ...data, ...change, modifiedAt: expect.any(String) } },
  });
  expect((await put(data.id, { sourceQuote: null })).body.data).toMatchObject({ ...change, sourceQuote: null });
});

test("says every fault at once, with its path", async () => {
  for (const [body, expected] of [
    [{}, ["scope invalid_type", "statement invalid_type"]],
    [{ statement: "", scope: "WORLD" }, ["scope invalid_enum_value", "statement too_small"]],
    [
      { statement: "x".repeat(2001), scope: "TOPIC", topicIds: ["x"] },
      ["statement too_big", "topicIds.0 invalid_string"],
    ],
    [{ statement: "a", scope: "APPLICATION", topicIds: [topicId] }, ["topicIds custom"]],
    [{ statement: "a", scope: "TOPIC", source: "b" }, ["source unrecognized_keys"]],
  ] as const) {
    const answer = await api.post("/v0/facts", body);
    expect([answer.status, faults(answer.body)]).toEqual([400, expected]);
  }
  const bulk = await api.post("/v0/facts/bulk", { facts: [{ statement: "a", scope: "TOPIC" }, { statement: "a" }] });
  expect([bulk.status, faults(bulk.body)]).toEqual([400, ["facts.1.scope invalid_type"]]);
  const { id } = (await api.post("/v0/facts", { statement: "a", scope: "APPLICATION" })).body.data;
  for (const [body, expected] of [
    [{ topicIds: [topicId] }, ["topicIds custom"]],
    [{ sourceQuote: 3, sourceDocumentId: "x" }, ["sourceDocumentId invalid_string", "sourceQuote invalid_type"]],
    [{ sourceQuote: "x".repeat(4001) }, ["sourceQuote too_big"]],
  ] as const) {
    const answer = await put(id, body);
    expect([answer.status, faults(answer.body)]).toEqual([400, expected]);
  }
  expect((await put(newId(), {})).body).toEqual({ message: "Fact not found" });
});

test("POST /v0/facts/bulk answers the count, GET /v0/facts filters and pages", async () => {
  const own = (await newTenant()).api;
  const topic = (await own.post("/v0/topics", { title: "Loans" })).body.data.id;
  const facts = [
    { statement: "a", scope: "TOPIC", topicIds: [topic] },
    { statement: "b", scope: "APPLICATION", status: "DRAFT" },
    { statement: "c", scope: "APPLICATION" },
  ];
  const bulk = await own.post("/v0/facts/bulk", { facts });
  expect([bulk.status, bulk.body]).toEqual([201, { count: 3 }]);
  const found = async (query: string) => {
    const { status, body } = await own.get(`/v0/facts?orderBy=statement&orderDir=asc&${query}`);
    return status === 200 ? body.data.map(({ statement }: { statement: string }) => statement) : body.issues;
  };
  expect(await found("")).toEqual(["a", "b", "c"]);
  expect(await found("scope=APPLICATION&status=ACTIVE")).toEqual(["c"]);
  expect(await found("scope=TOPIC,APPLICATION&status=DRAFT")).toEqual(["b"]);
  expect(await found(`topicId=${topic}&scope=&isVerified=false`)).toEqual(["a"]);
  expect(await found("isVerified=true")).toEqual([]);
  expect(await found("skip=1&limit=1")).toEqual(["b"]);
  expect((await own.get(`/v0/facts?topicId=${topic}&includeTopics=true`)).body.data[0].topics).toEqual([
    { id: topic, title: "Loans" },
  ]);
});
