import { isDeepStrictEqual } from "node:util";
import { newId } from "@ems/kit/id";
import { expect, inject, test } from "vitest";
import { buildChanges } from "../harness/changes.ts";
import { openContract } from "../harness/contract.ts";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const send = (key: string, json: object, path = "/v0/topics", method = "POST") =>
  api.send(method, path, { json, headers: { "idempotency-key": key } });
const topicsNamed = async (title: string) => (await api.get(`/v0/topics?title=${title}`)).body.pagination.total;

test("a repeat has no second effect and gets the first answer, marked as such", async () => {
  const [key, title] = [newId(), newId()];
  const first = await send(key, { title });
  const replay = await send(key, { title });
  const quoted = await send(`"${key}"`, { title });
  expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
  for (const repeat of [replay, quoted]) {
    expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(repeat.body).toEqual(first.body);
  }
  expect(await topicsNamed(title)).toBe(1);
});

test("fifty at once have one effect; early repeats get 409 with Retry-After", async () => {
  const [key, title] = [newId(), newId()];
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(key, { title })));
  const created = answers.filter(({ status }) => status === 201);
  const early = answers.filter(({ status }) => status === 409);
  expect(created.length + early.length).toBe(50);
  expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(1);
  for (const { headers } of early)
    expect([headers.get("retry-after"), headers.get("x-should-retry")]).toEqual(["1", null]);
  expect(await topicsNamed(title)).toBe(1);
});

test("another body under the same key is 422, not to be tried again", async () => {
  const key = newId();
  await send(key, { title: "one" });
  const { status, headers } = await send(key, { title: "two" });
  expect([status, headers.get("x-should-retry")]).toEqual([422, "false"]);
});

test("the same key is another request on another route, and for another application", async () => {
  const [key, title] = [newId(), newId()];
  const { body } = await send(key, { title });
  expect((await send(key, {}, `/v0/topics/${body.data.id}/archive`)).status).toBe(204);
  const other = await newTenant();
  const theirs = await other.api.send("POST", "/v0/topics", { json: { title }, headers: { "idempotency-key": key } });
  expect([theirs.status, theirs.headers.get("idempotency-replayed")]).toEqual([201, null]);
});

test("what failed is not kept: the same key works once the request is right", async () => {
  const key = newId();
  expect((await send(key, { title: "" })).status).toBe(400);
  expect((await send(key, { title: "a", quickstartId: newId() })).status).toBe(404);
  expect((await send(key, { title: "right" })).status).toBe(201);
});

test("a repeated API key creation is a conflict: the plaintext is kept nowhere", async () => {
  const key = newId();
  expect((await send(key, { name: "once" }, "/v0/api-keys")).status).toBe(201);
  const { status, headers } = await send(key, { name: "once" }, "/v0/api-keys");
  expect([status, headers.get("x-should-retry")]).toEqual([409, "false"]);
});

test("an invalid key is an issue among all others", async () => {
  const { status, body } = await send("a b", { title: "" });
  expect(status).toBe(400);
  expect(body.issues.map(({ path }: { path: string[] }) => path.join("."))).toEqual(["title", "Idempotency-Key"]);
});

const changes = await buildChanges(api);

test.each(changes)("a repeat is answered as the first time: %s %s", async (method, path, json) => {
  const key = newId();
  const first = await send(key, json, path, method);
  expect([first.body?.issues, first.status]).toEqual([undefined, expect.toSatisfy((status) => status < 300)]);
  const repeat = await send(key, json, path, method);
  expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([first.status, "true"]);
  expect(repeat.body).toEqual(first.body);
});

/** Operations whose replays are tested elsewhere. */
const elsewhere = [
  // Tested above.
  ...["POST /v0/topics", "POST /v0/topics/{id}/archive", "POST /v0/api-keys"],
  // Tested in document-upload, feedback, trigger, webhooks.
  ...["POST /v0/documents/upload", "POST /v0/feedback", "POST /v0/tasks/trigger", "POST /v0/webhook"],
  ...["POST /v0/webhook/rotate-secret", "POST /v0/webhook/test", "POST /v0/webhook/recover"],
  // Members, since the API creates none.
  "PUT /v0/members/{id}",
  // Tested in cli/exact-transfer, since they need an empty application; and like the other paths of traces.
  ...["POST /v0/transfer/catalog", "POST /v0/transfer/results", "POST /v0/transfer/traces"],
  "POST /api/public/otel/v1/traces",
  // They change nothing.
  ...["POST /v0/validate-webhook", "POST /v0/model-connections/{id}/test"],
  // Tested with notifications' deliveries, and evaluation's model connections and trials.
  ...["POST /v0/webhook/deliveries/{id}/resend", "POST /v0/definitions/try"],
  ...["POST /v0/model-connections", "PUT /v0/model-connections/{id}"],
];

test("every operation that takes a key is repeated", async () => {
  const { document } = await openContract(inject("product").baseUrl);
  const key = { $ref: "#/components/parameters/IdempotencyKey" };
  const names = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { parameters = [] }]) => parameters.some((each) => isDeepStrictEqual(each, key)))
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  );
  const isRepeated = ({ method, path }: { method: string; path: string }) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return changes.some(([by, at]) => by === method && pattern.test(at));
  };
  const missing = names.filter((name) => !isRepeated(name)).map(({ method, path }) => `${method} ${path}`);
  expect(missing.sort()).toEqual(elsewhere.sort());
});
