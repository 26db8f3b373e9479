// What reading a body costs and who waits for whom, before services that are stood in for.

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
import { afterAll, expect, test, vi } from "vitest";
import { gatewayConfig } from "../config.ts";
import { createGateway } from "../server.ts";

const applications = new Map<string, string>();
let answer: () => Promise<object> = async () => ({});

/** A gateway at which every key has the application that it is asked with. */
async function gatewayWith(env: Record<string, string> = {}) {
  const transport = createRouterTransport((router) => {
    router.service(ApiKeyService, {
      authenticate: async ({ apiKey }) => {
        return { keyId: apiKey, applicationId: applications.get(apiKey) ?? "", orgId: "org", userId: "ada" };
      },
    });
    router.service(TopicService, { createTopic: () => answer() });
  });
  const app = await createGateway(gatewayConfig({ ...testKeys, ...env }), {
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
      headers: told,
      body,
    } = await app.inject({ method: "POST", url: "/v0/topics", headers, payload });
    const left = /"key";r=(\d+)/.exec(String(told.ratelimit))?.[1];
    return { status: statusCode, message: JSON.parse(body).message, left: Number(left), told };
  };
}

const described = (bytes: number) => JSON.stringify({ title: "a", description: "x".repeat(bytes) });
const listed = (values: number) => `{"title": "a", "description": [${"1,".repeat(values)}1]}`;

test("a request costs one, and one more for 64 KiB or 2,000 values, whichever is more", async () => {
  // Filled so slowly that nothing comes back meanwhile.
  const post = await gatewayWith({ RATE_LIMIT_PER_MINUTE: "1" });
  const cost = async (body: string | Buffer, encoding?: string) => 200 - (await post(newId(), body, encoding)).left;
  expect(await cost(described(10))).toBe(1);
  expect(await cost(described(63 * 1024))).toBe(1);
  expect(await cost(described(64 * 1024))).toBe(2);
  expect(await cost(described(1_000_000))).toBe(16);
  expect(await cost(listed(1_900))).toBe(1);
  expect(await cost(listed(20_500))).toBe(11);
  // Unpacking costs one by itself.
  expect(await cost(gzipSync(described(10)), "gzip")).toBe(2);
  expect(await cost(gzipSync(listed(20_500)), "GZIP")).toBe(12);
  // What is refused for its values is paid, too.
  expect(await cost(listed(100_001))).toBe(51);
});

test("whoever owes for an earlier body has no other one read", async () => {
  const post = await gatewayWith({ RATE_LIMIT_PER_MINUTE: "60", RATE_LIMIT_BURST: "20" });
  const application = newId();
  const body = gzipSync(listed(90_000));
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(application, body, "gzip")));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(9);
  for (const { message, told } of refused) {
    expect(message).toBe("Too many requests with this API key");
    expect(Number(told["retry-after"])).toBeGreaterThan(10);
  }
  expect((await post(newId(), body, "gzip")).status).toBe(400);
});

test("large bodies of one application wait for each other and never take all places; small ones wait for none", async () => {
  const post = await gatewayWith({ LARGE_BODIES_MAX: "3", LARGE_BODIES_PER_APPLICATION_MAX: "2" });
  let running = 0;
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  answer = async () => {
    running++;
    await held;
    return {};
  };
  const [greedy, other] = [newId(), newId()];
  const topic = '{"title": "a"}';
  const large = gzipSync(JSON.stringify({ title: "x".repeat(300_000) }));
  const asked = Array.from({ length: 2 + 16 + 1 }, () => post(greedy, large, "gzip"));
  const [first] = await Promise.race(asked.map(async (one) => [await one]));
  expect(first).toMatchObject({ status: 429, message: "Too many large bodies of this application at once" });
  await vi.waitFor(() => expect(running).toBe(2));
  const ofOther = post(other, large, "gzip");
  await vi.waitFor(() => expect(running).toBe(3));
  const small = post(greedy, topic);
  await vi.waitFor(() => expect(running).toBe(4));
  go();
  expect([(await ofOther).status, (await small).status]).toEqual([201, 201]);
  expect((await Promise.all(asked)).filter(({ status }) => status === 201)).toHaveLength(18);
  answer = async () => ({});
});

test("what comes out of gzip has the limits of any body, and broken gzip is an issue", async () => {
  const post = await gatewayWith();
  const told = async (body: Buffer) => {
    const { status, message } = await post(newId(), body, "gzip");
    return [status, message];
  };
  expect(await told(gzipSync(" ".repeat(1024 * 1024 + 1)))).toEqual([413, "The request body is larger than 1 MiB"]);
  expect(await told(gzipSync(listed(100_000)))).toEqual([413, "The request body has more than 100000 values"]);
  expect(await told(gzipSync("{}").subarray(0, 12))).toEqual([400, "Invalid request data"]);
  expect((await post(newId(), "{}", "br")).status).toBe(415);
});
