import { newId } from "@ems/kit/id";
import { expect, inject, test } from "vitest";
import { openContract } from "../harness/contract.ts";
import { nowhere, privateUrl, unresolvedUrl } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const path = "/v0/webhook";
const newApi = async () => (await newTenant()).api;
const notPublic = { code: "custom", message: "must be https and resolve to a public host", path: ["url"] };

test("POST /v0/webhook creates the webhook, GET shows it, DELETE removes it and is repeatable", async () => {
  const { api, applicationId, orgId } = await newTenant();
  expect((await api.get(path)).body).toEqual({ data: null });
  const headers = { authorization: "Bearer abc", "X-Team": "qa, and more" };
  const { status, body } = await api.post(path, { url: nowhere, headers });
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      url: nowhere,
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      applicationId,
      orgId,
      headers,
      createdAt: expect.any(String),
      modifiedAt: expect.any(String),
      disabledAt: null,
      disabledReason: null,
    },
  });
  expect((await api.get(path)).body).toEqual(body);
  for (const _ of ["first", "again"]) expect((await api.delete(path)).status).toBe(204);
  expect((await api.get(path)).body).toEqual({ data: null });
});

test("setting again changes URL and headers: left out they stay, null removes them", async () => {
  const api = await newApi();
  const { body: first } = await api.post(path, { url: nowhere, headers: { a: "1" } });
  const moved = await api.post(path, { url: `${nowhere}/2` });
  expect(moved.body.data).toEqual({ ...first.data, url: `${nowhere}/2`, modifiedAt: expect.any(String) });
  expect((await api.post(path, { url: `${nowhere}/2`, headers: { b: "2" } })).body.data.headers).toEqual({ b: "2" });
  expect((await api.post(path, { url: `${nowhere}/2`, headers: null })).body.data.headers).toEqual({});
});

test("the URL has 1-2048 characters, is https and resolves to a public host", async () => {
  const api = await newApi();
  const refused = [
    ...["http://receiver.example.com/", "https://localhost/", "https://10.0.0.1/", "https://169.254.169.254/"],
    ...[
      "https://[::1]/",
      "https://user:password@receiver.example.com/",
      `${nowhere}#part`,
      "https://receiver.example.com:80/",
    ],
    ...["https://unknown.example.com/", "receiver.example.com", privateUrl],
  ];
  for (const url of refused) {
    const { status, body } = await api.post(path, { url });
    expect([url, status, body.issues]).toEqual([url, 400, [notPublic]]);
  }
  const codes = async (json: object) => {
    const { body } = await api.post(path, json);
    return body.issues.map(({ code, path: at }: { code: string; path: string[] }) => `${code} ${at.join(".")}`);
  };
  expect(await codes({})).toEqual(["invalid_type url"]);
  expect(await codes({ url: "" })).toEqual(["too_small url"]);
  expect(await codes({ url: `${nowhere}/${"x".repeat(2048)}` })).toEqual(["too_big url"]);
  expect((await api.get(path)).body).toEqual({ data: null });
});

test("every fault of URL and headers is listed at once, at its path", async () => {
  const api = await newApi();
  const headers = { host: "a", "Content-Type": "a", "a b": "a", c: "ä", d: 1, "x-forwarded-for": "a" };
  const { status, body } = await api.post(path, { url: "http://receiver.example.com", headers, events: [] });
  expect(status).toBe(400);
  const paths = body.issues.map(({ path: at }: { path: string[] }) => at.join("."));
  const wrong = ["a b", "c", "d", "host", "Content-Type", "x-forwarded-for"].map((name) => `headers.${name}`);
  expect(paths.sort()).toEqual(["events", "url", ...wrong].sort());
});

test("while names cannot be resolved, setting is 503 and changes nothing", async () => {
  const api = await newApi();
  const { status, headers } = await api.post(path, { url: unresolvedUrl });
  expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await api.get(path)).body).toEqual({ data: null });
});

test("a repeat under an Idempotency-Key has one effect, and shows the secret only while there is a webhook", async () => {
  const api = await newApi();
  const key = newId();
  const set = () => api.send("POST", path, { json: { url: nowhere }, headers: { "idempotency-key": key } });
  const first = await set();
  const repeat = await set();
  expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
  expect(repeat.body).toEqual(first.body);
  await api.delete(path);
  const late = await set();
  expect([late.status, late.headers.get("x-should-retry")]).toEqual([409, "false"]);
});

test("POST /v0/webhook/rotate-secret gives a new secret, once per Idempotency-Key", async () => {
  const api = await newApi();
  const rotate = (headers = {}) => api.send("POST", `${path}/rotate-secret`, { headers });
  const { status, body } = await rotate();
  expect({ status, body }).toEqual({ status: 404, body: { message: "Webhook not found" } });
  const { body: set } = await api.post(path, { url: nowhere });
  const rotated = await rotate();
  expect(rotated.body.data).toEqual({
    ...set.data,
    webhookSecret: expect.stringMatching(/^whsec_/),
    modifiedAt: expect.any(String),
  });
  expect(rotated.body.data.webhookSecret).not.toBe(set.data.webhookSecret);
  const headers = { "idempotency-key": newId() };
  expect((await rotate(headers)).body).toEqual((await rotate(headers)).body);
});

test("POST /v0/webhook/test returns the outcome of the attempt, which is also among the deliveries", async () => {
  const api = await newApi();
  const missing = await api.post(`${path}/test`);
  expect([missing.status, missing.body]).toEqual([404, { message: "Webhook not found" }]);
  await api.post(path, { url: nowhere });
  const headers = { "idempotency-key": newId() };
  const error = "The receiver refused the connection";
  for (const replayed of [null, "true"]) {
    const answer = await api.send("POST", `${path}/test`, { headers });
    expect([answer.status, answer.body]).toEqual([200, { success: false, statusCode: null, error }]);
    expect(answer.headers.get("idempotency-replayed")).toBe(replayed);
  }
  const { body } = await api.get(`${path}/deliveries?type=webhook.test`);
  expect(body.data).toMatchObject([{ status: "FAILED", attemptCount: 1, lastOutcome: "CONNECTION_REFUSED" }]);
});

test("POST /v0/validate-webhook takes any body and knows what did not come from here", async () => {
  const api = await newApi();
  await api.post(path, { url: nowhere });
  const timestamp = String(Math.floor(Date.now() / 1000));
  for (const body of [{ id: newId(), type: "topic.created" }, "{}", "no JSON", null, [], 7]) {
    const answer = await api.post("/v0/validate-webhook", { signature: "v1,abc=", timestamp, body });
    expect([answer.status, answer.body]).toEqual([200, { valid: false }]);
  }
  const { body } = await api.post("/v0/validate-webhook", { timestamp: 1 });
  const codes = body.issues.map(({ code, path: at }: { code: string; path: string[] }) => `${code} ${at.join(".")}`);
  expect(codes.sort()).toEqual(["invalid_type body", "invalid_type signature"]);
});

test("the API reference describes headers as an object of strings or null, and the body to validate as anything", async () => {
  const { schemas } = (await openContract(inject("product").baseUrl)).document.components;
  expect(schemas?.SetWebhookRequest).toMatchObject({
    required: ["url"],
    properties: {
      headers: {
        type: ["object", "null"],
        maxProperties: 20,
        propertyNames: { minLength: 1, maxLength: 128 },
        additionalProperties: { type: "string", minLength: 1, maxLength: 4096 },
      },
    },
  });
  expect(schemas?.ValidateWebhookRequest).toMatchObject({ properties: { body: { description: expect.any(String) } } });
  expect(JSON.stringify(schemas?.ValidateWebhookRequest)).toMatch(/"body":\{"description":"[^"]*"\}/);
});
