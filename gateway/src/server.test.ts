// The gateway with fake services: errors, limits and overload.

import { Code, ConnectError, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { systemClock } from "@ems/kit/clock";
import {
  busy,
  canceled,
  conflict,
  failure,
  internalError,
  invalidField,
  limitReached,
  malformedCall,
  notFound,
  rateLimited,
  tooLarge,
  unavailable,
} from "@ems/kit/errors";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { tenantKey } from "@ems/kit/rpc/call";
import type { Tenant } from "@ems/kit/tenant";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { stopClock } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { gatewayConfig } from "./config.ts";
import { createGateway } from "./server.ts";

const applicationId = newId();
const apiKey = formKey(Buffer.alloc(keyBytes, 1));
const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
let answer: (tenant?: Tenant) => Promise<never> | Promise<object>;
let ready: () => Promise<void> = async () => undefined;

async function gatewayWith(env: Record<string, string> = {}) {
  let tenantOfCall: Tenant | undefined;
  const recordTenant: Interceptor = (next) => (request) => {
    tenantOfCall = request.contextValues.get(tenantKey);
    return next(request);
  };
  const transport = createRouterTransport(
    (router) => {
      router.service(ApiKeyService, {
        authenticate: async ({ apiKey }) => ({ keyId: apiKey, applicationId, orgId: "org", userId: "ada" }),
      });
      router.service(AppConfigService, { getAppConfig: () => answer(tenantOfCall) });
      router.service(ReportingService, { queryReport: (_request, { signal }) => report(signal) });
      router.service(TopicService, { getTopic: () => answer(), createTopic: () => answer() });
    },
    { transport: { interceptors: [recordTenant] } },
  );
  const health = new Health(() => ready());
  const { app } = await createGateway(gatewayConfig({ ...testKeys, ...env }), {
    log: createLog("test", "silent"),
    clock: systemClock,
    newId,
    health,
    peer: () => transport,
  });
  afterAll(() => app.close());
  return Object.assign(app, { health });
}

/** Handler of queryReport. */
let report: (signal: AbortSignal) => Promise<object> = async () => ({});

const app = await gatewayWith();
const get = () => app.inject({ method: "GET", url: `/v0/topics/${newId()}`, headers });

test("where the application is optional, the service learns whether the header named it", async () => {
  const requested: unknown[] = [];
  answer = async (tenant?: Tenant) => {
    requested.push(tenant?.applicationId, tenant?.isApplicationImplied);
    return { data: { analytics: {} } };
  };
  const statusWith = async (requestHeaders: Record<string, string>, url = "/v0/app-config") =>
    (await app.inject({ method: "GET", url, headers: requestHeaders })).statusCode;
  expect(await statusWith(headers)).toBe(200);
  expect(await statusWith({ "x-api-key": apiKey })).toBe(200);
  expect(requested).toEqual([applicationId, undefined, applicationId, true]);
  expect(await statusWith({ "x-application-id": applicationId })).toBe(401);
  expect(await statusWith({ ...headers, "x-application-id": newId() })).toBe(403);
  expect(await statusWith({ "x-api-key": apiKey }, `/v0/topics/${newId()}`)).toBe(401);
});

describe("an error of a service", () => {
  test.each([
    ["not found", notFound("Topic"), 404, "Topic not found", {}],
    ["a permanent conflict", conflict("Slug is taken"), 409, "Slug is taken", { "x-should-retry": "false" }],
    [
      "a limit of things",
      limitReached("As many as may be", 3),
      409,
      "As many as may be",
      { "x-should-retry": "false" },
    ],
    ["a state", failure("STATE_CONFLICT", "It is done"), 409, "It is done", { "x-should-retry": "false" }],
    ["a large request", tooLarge("It is too large"), 413, "It is too large", {}],
    ["a large answer", failure("ANSWER_TOO_LARGE", "It is too large"), 400, "It is too large", {}],
    ["a refused token of the gateway", failure("CALLER_TOKEN_EXPIRED", "Expired"), 500, "Internal server error", {}],
    ["a cancellation that is not the client's", canceled(), 503, "Canceled", { "retry-after": "1" }],
    ["too many", rateLimited("key", "Slow down", 2_500), 429, "Slow down", { "retry-after": "3" }],
    ["an outage", unavailable(), 503, "Service unavailable", { "retry-after": "1" }],
    ["a deadline", new ConnectError("after 0.1 s at 10.1.2.3", Code.DeadlineExceeded), 504, "Deadline exceeded", {}],
    ["a defect", internalError(new Error("password=hunter2")), 500, "Internal server error", {}],
    ["a malformed call", malformedCall("TENANT_MISSING", "no tenant"), 500, "Internal server error", {}],
    [
      "another body under the same key",
      failure("IDEMPOTENCY_KEY_REUSED", "Another body"),
      422,
      "Another body",
      { "x-should-retry": "false" },
    ],
    ["a request that is still running", busy("Still running"), 409, "Still running", { "retry-after": "1" }],
  ] as const)("%s", async (_name, error, status, message, expectedHeaders) => {
    answer = () => Promise.reject(error);
    const response = await get();
    expect([response.statusCode, response.json()]).toEqual([status, { message }]);
    expect(response.headers).toMatchObject({ ...expectedHeaders, "x-request-id": expect.any(String) });
  });

  test("a violation reported by the service is an issue with JSON names in its path", async () => {
    answer = () => Promise.reject(invalidField(["quickstart_id"], "Quickstart is finished"));
    const response = await app.inject({ method: "POST", url: "/v0/topics", headers, payload: { title: "a" } });
    expect(response.statusCode).toBe(400);
    expect(response.json().issues).toEqual([
      { code: "custom", message: "Quickstart is finished", path: ["quickstartId"] },
    ]);
  });
});

test("a hanging service is 504 after the deadline", async () => {
  const gateway = await gatewayWith({ DEADLINE_MS: "100" });
  answer = () => new Promise(() => undefined);
  const response = await gateway.inject({ method: "GET", url: `/v0/topics/${newId()}`, headers });
  expect([response.statusCode, response.json().message]).toEqual([504, "Deadline exceeded"]);
});

test("requests of an application over its concurrency limit are 429; health checks are not limited", async () => {
  const small = await gatewayWith({ IN_FLIGHT_PER_APPLICATION_MAX: "2" });
  const finish = Promise.withResolvers<object>();
  answer = () => finish.promise;
  const send = () => small.inject({ method: "GET", url: `/v0/topics/${newId()}`, headers });
  // Calls `then`, because an injected request starts only when it is awaited.
  const running = [1, 2].map(() => send().then((response) => response));
  await expect.poll(async () => (await send()).statusCode).toBe(429);
  const refused = await send();
  expect(refused.json()).toEqual({ message: "Too many requests of this application at once" });
  expect(refused.headers["retry-after"]).toBe("1");
  expect((await small.inject({ url: "/livez" })).statusCode).toBe(200);
  expect((await small.inject({ url: "/readyz" })).statusCode).toBe(200);
  finish.resolve({ data: { id: newId() } });
  for (const response of await Promise.all(running)) expect(response.statusCode).toBe(200);
  answer = async () => ({ data: { id: newId() } });
  expect((await send()).statusCode).toBe(200);
});

test("requests are rejected while the event loop is overloaded; health checks are not", async () => {
  const busy = await gatewayWith({ EVENT_LOOP_DELAY_MAX_MS: "100" });
  answer = async () => ({ data: { id: newId() } });
  const status = async (url: string) => (await busy.inject({ url, headers })).statusCode;
  const url = `/v0/topics/${newId()}`;
  const work = setInterval(() => {
    for (const untilMs = performance.now() + 300; performance.now() < untilMs; );
  }, 1);
  await expect.poll(() => status(url)).toBe(503);
  expect([await status("/livez"), await status("/readyz")]).toEqual([200, 200]);
  clearInterval(work);
  await expect.poll(() => status(url)).toBe(200);
});

test("a draining gateway responds with connection: close", async () => {
  const stopping = await gatewayWith();
  answer = async () => ({ data: { id: newId() } });
  const get = () => stopping.inject({ url: `/v0/topics/${newId()}`, headers });
  expect((await get()).headers.connection).toBe("keep-alive");
  stopping.health.drain();
  const { statusCode, headers: responseHeaders } = await get();
  expect([statusCode, responseHeaders.connection]).toEqual([200, "close"]);
});

test("/readyz is 503 while a check fails, without a reason", async () => {
  ready = () => Promise.reject(new Error("connect ECONNREFUSED db.internal:5432"));
  const response = await app.inject({ url: "/readyz" });
  expect([response.statusCode, response.json()]).toEqual([503, { status: "not ready" }]);
  ready = async () => undefined;
  expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
});

test("with DOCS=off the API works and its reference is not served", async () => {
  const without = await gatewayWith({ DOCS: "off", CONSOLE: "off" });
  const status = async (url: string) => (await without.inject({ url })).statusCode;
  for (const url of ["/docs", "/docs/", "/docs/scalar.js", "/openapi.json"])
    expect([url, await status(url)]).toEqual([url, 404]);
  expect([await status("/readyz"), await status("/v0/topics")]).toEqual([200, 401]);
});

test("a key over its rate limit is 429 with RateLimit headers, another key is not", async () => {
  const limited = await gatewayWith({ RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "3" });
  // Buckets use the monotonic clock, which is stopped here.
  stopClock();
  onTestFinished(() => void vi.useRealTimers());
  answer = async () => ({ data: { id: newId() } });
  const url = `/v0/topics/${newId()}`;
  const send = () => limited.inject({ method: "GET", url, headers });
  const first = await send();
  expect(first.headers).toMatchObject({
    "ratelimit-policy": '"application";q=1000;w=10, "key";q=3;w=3',
    ratelimit: '"application";r=999;t=1, "key";r=2;t=1',
  });
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([200, 200]);
  const refused = await send();
  expect([refused.statusCode, refused.json()]).toEqual([429, { message: "Too many requests with this API key" }]);
  expect(refused.headers).toMatchObject({ "retry-after": "1", ratelimit: '"application";r=997;t=1, "key";r=0;t=3' });
  const other = { ...headers, "x-api-key": formKey(Buffer.alloc(keyBytes, 2)) };
  expect((await limited.inject({ method: "GET", url, headers: other })).statusCode).toBe(200);
});

describe("a report", () => {
  const query = { method: "POST", headers: { ...headers, "content-type": "application/json" } } as const;
  const body = JSON.stringify({ datasource: "test", timezone: "UTC" });

  test("is cancelled when the client disconnects", async () => {
    const url = await (await gatewayWith()).listen({ port: 0, host: "127.0.0.1" });
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    report = (signal) => {
      signal.addEventListener("abort", () => ended.resolve());
      begun.resolve();
      return new Promise(() => undefined);
    };
    const client = new AbortController();
    const tenantOfCall = fetch(`${url}/v0/reporting/query`, { ...query, body, signal: client.signal }).catch(
      () => "gone",
    );
    await begun.promise;
    client.abort();
    await ended.promise;
    expect(await tenantOfCall).toBe("gone");
  });

  test("is a read and ignores the idempotency key", async () => {
    report = async () => ({ data: { visualization: { fieldMapping: {} } }, pagination: {} });
    const requested = {
      ...query,
      url: "/v0/reporting/query",
      body,
      headers: { ...query.headers, "idempotency-key": " " },
    };
    expect((await app.inject(requested)).statusCode).toBe(200);
  });
});
