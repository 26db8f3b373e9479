// Lost updates: every resource with a PUT has an ETag of its stored version, and If-Match changes only that version.
// Driven by the API reference, so that new routes are included.

import { newId } from "@ems/kit/id";
import { describe, expect, inject, test } from "vitest";
import type { Answer } from "../harness/api.ts";
import { buildChanges } from "../harness/changes.ts";
import { openContract } from "../harness/contract.ts";
import { addMember } from "../harness/members.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, ...tenant } = await newTenant();
const { document } = await openContract(inject("product").baseUrl);
const changes = await buildChanges(api);
const getEtag = ({ headers }: Answer) => headers.get("etag");

/** A repeatable change: path and body, and the path for reading the resource if it differs. */
interface Changed {
  readonly path: string;
  readonly json: object;
  readonly read?: string;
}

async function otherVersion(): Promise<Changed> {
  const { id } = (await api.post("/v0/documents", { title: "text", content: "text" })).body.document;
  await api.post(`/v0/documents/${id}/versions`, { title: "more", content: "more" });
  return { path: `/v0/documents/${id}/versions/2/activate`, json: {}, read: `/v0/documents/${id}` };
}

async function modelConnection(): Promise<Changed> {
  const json = { name: "text", provider: "openai", model: "text", apiKey: "text" };
  return { path: `/v0/model-connections/${(await api.post("/v0/model-connections", json)).body.data.id}`, json };
}

async function schedule(): Promise<Changed> {
  const { id } = (await api.post("/v0/tasks", { title: "text", description: "text" })).body.task;
  const path = `/v0/tasks/${id}/schedule`;
  await api.send("PUT", path, { json: { cron: "0 6 * * *", criticality: "LOW" } });
  return { path, json: { cron: "0 7 * * *", criticality: "LOW" } };
}

async function queueOfOther(): Promise<Changed> {
  const topicId = (await api.post("/v0/topics", { title: newId() })).body.data.id;
  const { id } = (await api.post("/v0/human-annotation-queues", { topicId })).body.data;
  const member = await addMember(tenant, "REVIEWER");
  const { data } = (await api.get("/v0/members")).body;
  const assigneeId = data.find((each: { id: string }) => each.id === member).userId;
  return { path: `/v0/human-annotation-queues/${id}`, json: { assigneeId } };
}

/** Changes for resources whose entry in harness/changes.ts changes nothing. */
const own: Record<string, Changed> = {
  "/v0/documents/{id}/versions/{versionNumber}/activate": await otherVersion(),
  "/v0/model-connections/{id}": await modelConnection(),
  "/v0/tasks/{id}/schedule": await schedule(),
  "/v0/human-annotation-queues/{id}": await queueOfOther(),
  "/v0/members/{id}": { path: `/v0/members/${await addMember(tenant, "VIEWER")}`, json: { role: "EDITOR" } },
};

function getChange(template: string): Changed {
  const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  const [, path = "", json = {}] = changes.find(([by, at]) => by === "PUT" && pattern.test(at)) ?? [];
  const found = own[template] ?? { path, json };
  if (found.path === "") throw new Error(`${template}: add a change to harness/changes.ts, or here`);
  if (template.endsWith("/suggested-task")) return { ...found, read: path.replace("/suggested-task", "") };
  return found;
}

const reference = "#/components/parameters/IfMatch";
const templates = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { parameters = [] }]) => parameters.some((each) => (each as { $ref?: string }).$ref === reference))
    .filter(([method]) => method === "put" || method === "patch")
    .map(([method]) => ({ method: method.toUpperCase(), path })),
);

describe.each(templates)("$method $path", ({ method, path: template }) => {
  const { path, json, read = path } = getChange(template);
  const send = (ifMatch?: string | null, headers: Record<string, string> = {}) =>
    api.send(method, path, { json, headers: { "if-match": ifMatch ?? undefined, ...headers } });
  const present = async () => {
    const refused = await send('"another"');
    expect(refused.status).toBe(412);
    return getEtag(refused);
  };

  test("another version is 412, with the present one, and changes nothing", async () => {
    for (const ifMatch of ['"another"', 'W/"another"', '""', '"a", "b"']) {
      const { status, body, headers } = await send(ifMatch);
      expect([status, body, headers.get("x-should-retry")]).toEqual([
        412,
        { message: expect.stringContaining("If-Match") },
        "false",
      ]);
      expect(headers.get("etag")).toMatch(/^"[\w-]{22}"$/);
    }
    expect(getEtag(await api.get(read))).toBe(await present());
  });

  test("of two at once that name the same version one is stored, and the other is 412", async () => {
    const etag = await present();
    const answers = await Promise.all([send(etag), send(etag)]);
    const [stored, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect([stored?.status, refused?.status]).toEqual([200, 412]);
    const changed = stored && getEtag(stored);
    expect(changed).not.toBe(etag);
    expect(refused && getEtag(refused)).toBe(changed);
    expect(getEtag(await api.get(read))).toBe(changed);
  });

  test("a list, any version, and no precondition are stored; a weak ETag is none", async () => {
    expect((await send(`W/${await present()}`)).status).toBe(412);
    expect((await send(`"another",${await present()}`)).status).toBe(200);
    expect((await send("*")).status).toBe(200);
    expect((await send()).status).toBe(200);
  });

  test("a repeat is answered before its precondition is checked, with the first ETag", async () => {
    const key = { "idempotency-key": newId() };
    const etag = await present();
    const first = await send(etag, key);
    await send("*");
    const repeat = await send(etag, key);
    expect([first.status, repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([200, 200, "true"]);
    expect([repeat.body, getEtag(repeat)]).toEqual([first.body, getEtag(first)]);
  });
});

test("every resource that is made is answered with the ETag that it is read with", async () => {
  const made = changes.filter(([method, path]) => method === "POST" && /^\/v0\/[a-z-]+$/.test(path));
  const read: string[] = [];
  for (const [, path, json] of made) {
    const operations = document.paths[`${path}/{id}`];
    if (operations?.put === undefined || path === "/v0/issues") continue;
    const answer = await api.post(path, { ...json, ...(path === "/v0/definitions" && { name: newId() }) });
    const [resource] = Object.values<{ id: string }>(answer.body);
    expect([path, getEtag(answer)]).toEqual([path, getEtag(await api.get(`${path}/${resource?.id}`))]);
    read.push(path);
  }
  expect(read.length).toBeGreaterThan(6);
});

test("a header that is no list of ETags is an issue among all others", async () => {
  const { id } = (await api.post("/v0/topics", { title: newId() })).body.data;
  for (const ifMatch of ["abc", '"a" "b"', '"a', '*, "a"', 'w/"a"', ""]) {
    const answer = await api.send("PUT", `/v0/topics/${id}`, { json: { title: "" }, headers: { "if-match": ifMatch } });
    expect(answer.status).toBe(400);
    expect(answer.body.issues.map(({ path }: { path: string[] }) => path.join("."))).toEqual(["title", "If-Match"]);
  }
});

test("a read is never 304", async () => {
  const made = await api.post("/v0/topics", { title: newId() });
  const headers = { "if-none-match": getEtag(made) ?? "", "if-match": '"another"' };
  const read = await api.get(`/v0/topics/${made.body.data.id}`, { headers });
  expect([read.status, read.body.data.id]).toEqual([200, made.body.data.id]);
});

test("what is computed for the answer changes no ETag", async () => {
  const made = await api.post("/v0/tasks", { title: "text", description: "text" });
  const { id } = made.body.task;
  const definition = (await api.post("/v0/definitions", { type: "FACT", name: newId() })).body.data.id;
  const passed = { passed: true, score: 1, status: "COMPLETED" };
  const evaluations = [{ definitionId: definition, ...passed }];
  expect((await api.post("/v0/tests/results", { tests: [{ taskId: id, ...passed, evaluations }] })).status).toBe(201);
  await expect
    .poll(async () => (await api.get(`/v0/tasks/${id}`)).body.task.lastTest, { timeout: 10_000 })
    .not.toBeNull();
  expect(getEtag(await api.get(`/v0/tasks/${id}`))).toBe(getEtag(made));
});

test("a resource that is not stored matches nothing", async () => {
  const { id } = (await api.post("/v0/tasks", { title: "text", description: "text" })).body.task;
  const json = { cron: "0 6 * * *", criticality: "LOW" };
  const answer = await api.send("PUT", `/v0/tasks/${id}/schedule`, { json, headers: { "if-match": "*" } });
  expect([answer.status, getEtag(answer)]).toEqual([412, null]);
  expect((await api.get(`/v0/tasks/${id}/schedule`)).status).toBe(404);
});
