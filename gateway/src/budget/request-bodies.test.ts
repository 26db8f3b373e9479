// Cost and concurrency of request bodies, with fake services.

import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { createRouterTransport } from "@connectrpc/connect";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { systemClock } from "@ems/kit/clock";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterAll, expect, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { createGateway } from "../server.ts";

const applications = new Map<string, string>();
let answer: () => Promise<object> = async () => ({});

/** Creates a gateway that resolves every key to the application of its request. */
async function gatewayWith(env: Record<string, string> = {}) {
  const transport = createRouterTransport((router) => {
    router.service(ApiKeyService, {
      authenticate: async ({ apiKey }) => {
        return { keyId: apiKey, applicationId: applications.get(apiKey) ?? "", orgId: "org", userId: "ada" };
      },
    });
    router.service(TopicService, { createTopic: () => answer() });
  });
  const { app } = await createGateway(gatewayConfig({ ...testKeys, ...env }), {
    log: createLog("test", "silent"),
    clock: systemClock,
    newId,
    health: new Health(async () => undefined),
    peer: () => transport,
  });
  afterAll(() => app.close());
  return async (application: string, payload: string | Buffer, encoding = "identity") => {
    const apiKey = formKey(hash("sha256", application, "buffer").subarray(0, keyBytes));
    applications.set(apiKey, application);
    const credentials = { "x-api-key": apiKey, "x-application-id": application };
    const headers = { ...credentials, "content-type": "application/json", "content-encoding": encoding };
    const {
      statusCode,
      headers: responseHeaders,
      body,
    } = await app.inject({ method: "POST", url: "/v0/topics", headers, payload });
    const left = /"key";r=(\d+)/.exec(String(responseHeaders.ratelimit))?.[1];
    return { status: statusCode, message: JSON.parse(body).message, left: Number(left), responseHeaders };
  };
}

const described = (bytes: number) => JSON.stringify({ title: "a", description: "x".repeat(bytes) });
const listed = (values: number) => `{"title": "a", "description": [${"1,".repeat(values)}1]}`;

test("a request costs one token, and one more per 64 KiB or 2,000 values, whichever is more", async () => {
  // No token is refilled during the test.
  const post = await gatewayWith({ RATE_LIMIT_PER_MINUTE: "1" });
  const cost = async (body: string | Buffer, encoding?: string) => 200 - (await post(newId(), body, encoding)).left;
  expect(await cost(described(10))).toBe(1);
  expect(await cost(described(63 * 1024))).toBe(1);
  expect(await cost(described(64 * 1024))).toBe(2);
  expect(await cost(described(1_000_000))).toBe(16);
  expect(await cost(listed(1_900))).toBe(1);
  expect(await cost(listed(20_500))).toBe(11);
  // Decompression costs one token.
  expect(await cost(gzipSync(described(10)), "gzip")).toBe(2);
  expect(await cost(gzipSync(listed(20_500)), "GZIP")).toBe(12);
  // Rejected bodies are charged too.
  expect(await cost(listed(100_001))).toBe(51);
});

test("no body is read while the bucket is below zero", async () => {
  const post = await gatewayWith({ RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "20" });
  const application = newId();
  const body = gzipSync(listed(90_000));
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(application, body, "gzip")));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(9);
  for (const { message, responseHeaders } of refused) {
    expect(message).toBe("Too many requests with this API key");
    expect(Number(responseHeaders["retry-after"])).toBeGreaterThan(10);
  }
  expect((await post(newId(), body, "gzip")).status).toBe(400);
});

test("large bodies are limited per application and queued; small ones are not", async () => {
  const post = await gatewayWith({ LARGE_BODIES_MAX: "3", LARGE_BODIES_PER_APPLICATION_MAX: "2" });
  let running = 0;
  let go: () => void = () => undefined;
  const blocked = new Promise<void>((resolve) => (go = resolve));
  answer = async () => {
    running++;
    await blocked;
    return {};
  };
  const [greedy, other] = [newId(), newId()];
  const topic = '{"title": "a"}';
  const large = gzipSync(JSON.stringify({ title: "x".repeat(300_000) }));
  const requests = Array.from({ length: 2 + 16 + 1 }, () => post(greedy, large, "gzip"));
  const [first] = await Promise.race(requests.map(async (request) => [await request]));
  expect(first).toMatchObject({ status: 429, message: "Too many large bodies of this application at once" });
  await expect.poll(() => running).toBe(2);
  const otherRequest = post(other, large, "gzip");
  await expect.poll(() => running).toBe(3);
  const small = post(greedy, topic);
  await expect.poll(() => running).toBe(4);
  go();
  expect([(await otherRequest).status, (await small).status]).toEqual([201, 201]);
  expect((await Promise.all(requests)).filter(({ status }) => status === 201)).toHaveLength(18);
  answer = async () => ({});
});

test("limits apply to the decompressed body, and invalid gzip is an issue", async () => {
  const post = await gatewayWith();
  const sendBody = async (body: Buffer) => {
    const { status, message } = await post(newId(), body, "gzip");
    return [status, message];
  };
  expect(await sendBody(gzipSync(" ".repeat(1024 * 1024 + 1)))).toEqual([413, "The request body is larger than 1 MiB"]);
  expect(await sendBody(gzipSync(listed(100_000)))).toEqual([
    413,
    "The request body has more than 100000 values. Send it as several requests",
  ]);
  expect(await sendBody(gzipSync("{}").subarray(0, 12))).toEqual([400, "Invalid request data"]);
  expect((await post(newId(), "{}", "br")).status).toBe(415);
});
