import { expect, test } from "vitest";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

interface Entry {
  readonly resource: string;
  readonly action: string;
  readonly changes: readonly { field: string; before: unknown; after: unknown; isSecret: boolean }[];
}

const log = async (query = "", by = api) => (await by.get(`/v0/audit-log?limit=100${query}`)).body;
const getChanges = ({ changes }: Entry) =>
  Object.fromEntries(
    changes.map(({ field, before, after, isSecret }) => [field, isSecret ? "secret" : [before, after]]),
  );

test("a change says who made it, by which key and request, and the fields before and after", async () => {
  const { data: key } = (await api.post("/v0/api-keys", { name: "for the log" })).body;
  const by = api.as({ apiKey: key.key });
  const { id } = (await by.post("/v0/topics", { title: "before", baseline: 0.5 })).body.data;
  const updated = await by.send("PUT", `/v0/topics/${id}`, { json: { title: "after", baseline: null } });
  await by.send("PUT", `/v0/topics/${id}`, { json: { title: "after" } });
  const { data, pagination } = await log(`&entityId=${id.toUpperCase()}`);
  expect(pagination.total).toBe(2);
  const who = { keyId: key.id, caller: null, userId: expect.any(String), resource: "topic", entityId: id };
  expect(data).toMatchObject([
    { ...who, action: "UPDATED", operation: "ems.catalog.v1.TopicService/UpdateTopic" },
    { ...who, action: "CREATED", operation: "ems.catalog.v1.TopicService/CreateTopic" },
  ]);
  expect(data[0].requestId).toBe(updated.headers.get("x-request-id"));
  expect(data[0].createdAt).toMatch(/Z$/);
  expect(getChanges(data[0])).toEqual({ title: ["before", "after"], baseline: [0.5, null] });
  expect(getChanges(data[1])).toMatchObject({ title: [undefined, "before"], isInScope: [undefined, true] });
});

test("filters and pages combine the logs of all services; an application sees its own", async () => {
  const own = await newTenant();
  const { id } = (await own.api.post("/v0/tags", { name: "a" })).body.data;
  await own.api.send("PUT", `/v0/tags/${id}`, { json: { name: "b" } });
  const issue = await own.api.post("/v0/annotations", { title: "Released" });
  await own.api.delete(`/v0/annotations/${issue.body.data.id}`);
  const kinds = async (query: string) =>
    (await log(query, own.api)).data.map(({ resource, action }: Entry) => `${resource} ${action}`);
  const all = ["annotation DELETED", "annotation CREATED", "tag UPDATED", "tag CREATED"];
  expect(await kinds("")).toEqual(all);
  expect(await kinds("&orderBy=createdAt&orderDir=asc")).toEqual(all.toReversed());
  expect(await kinds("&resource=tag&action=UPDATED")).toEqual(["tag UPDATED"]);
  expect(await kinds("&resource=tag&resource=annotation&action=CREATED")).toEqual([
    "annotation CREATED",
    "tag CREATED",
  ]);
  const [{ userId }] = (await log("", own.api)).data;
  expect(await kinds(`&userId=${userId}`)).toEqual(all);
  expect(await kinds("&userId=nobody")).toEqual([]);
  expect(await kinds(`&startDate=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  const page = (await own.api.get("/v0/audit-log?skip=1&limit=2")).body;
  expect([page.data.length, page.pagination.total]).toEqual([2, 4]);
  expect(await log(`&entityId=${id}`)).toMatchObject({ data: [] });
});

test("secrets are never logged, only that they changed", async () => {
  const own = await newTenant();
  const header = "Bearer of-a-receiver";
  const webhook = await own.api.post("/v0/webhook", { url: nowhere, headers: { authorization: header } });
  const rotated = await own.api.post("/v0/webhook/rotate-secret");
  const { data: key } = (await own.api.post("/v0/api-keys", { name: "CI" })).body;
  const connection = { name: "Judge", provider: "openai", model: "m", apiKey: "sk-a-provider-key-1234" };
  expect((await own.api.post("/v0/model-connections", connection)).status).toBe(201);
  await own.api.delete(`/v0/api-keys/${key.id}`);
  const entries: Entry[] = (await log("", own.api)).data;
  const logged = JSON.stringify(entries);
  for (const secret of [header, key.key, connection.apiKey, ...getSecrets(webhook.body), ...getSecrets(rotated.body)]) {
    expect(logged).not.toContain(secret);
  }
  const changed = entries.map((entry) => [entry.resource, entry.action, ...secretFields(entry)]);
  expect(changed).toEqual([
    ["api-key", "DELETED", "digest"],
    ["model-connection", "CREATED", "apiKey"],
    ["api-key", "CREATED", "digest"],
    ["webhook", "UPDATED", "previousSecret", "secret"],
    ["webhook", "CREATED", "headers", "secret"],
  ]);
});

test("what is ingested is not logged row by row, and a long text by its size and digest", async () => {
  const own = await newTenant();
  const step = { type: "log", timestamp: "2026-01-05T10:00:00.000Z", content: "hello", traceId: crypto.randomUUID() };
  expect((await own.api.post("/v0/ingest", { events: [step] })).status).toBeLessThan(300);
  const content = [{ heading: "Tone", content: "x".repeat(5_000) }];
  expect((await own.api.post("/v0/style-guides", { content })).status).toBe(201);
  const entries: Entry[] = (await log("", own.api)).data;
  expect(entries.map(({ resource }) => resource)).toEqual(["style-guide"]);
  const [entry] = entries;
  const size = { bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(entry && getChanges(entry).content).toEqual([undefined, size]);
});

function secretFields({ changes }: Entry): string[] {
  return changes.filter(({ isSecret }) => isSecret).map(({ field }) => field);
}

/** Texts of the answer that look like webhook secrets. */
function getSecrets(body: unknown): string[] {
  return JSON.stringify(body).match(/whsec_[^"]+/g) ?? [];
}
