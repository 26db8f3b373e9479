// Many keys of one application cannot exceed the application's limits, and the number of keys is limited.

import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked("one", {
  RATE_LIMIT_APPLICATION_PER_MINUTE: "600",
  RATE_LIMIT_APPLICATION_BURST: "300",
  // The limits make one key stay below the application's share for the whole test.
  RATE_LIMIT_PER_MINUTE: "600",
});
const quiet = await product.tenant();

interface Keyed {
  readonly applicationId: string;
  readonly apiKey: string;
}

async function listTopics({ applicationId, apiKey }: Keyed) {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId };
  const response = await fetch(`${product.facts.baseUrl}/v0/app-config`, { headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Sends `count` requests, four at a time. */
async function askOften(who: Keyed, count: number) {
  const answers: Awaited<ReturnType<typeof listTopics>>[] = [];
  const lane = async () => {
    for (let i = 0; i < count / 4; i++) answers.push(await listTopics(who));
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return answers;
}

async function moreKeys(tenant: Awaited<ReturnType<typeof product.tenant>>, count: number): Promise<Keyed[]> {
  const keys: Keyed[] = [];
  for (let i = 0; i < count; i++) {
    const { body } = await tenant.api.post("/v0/api-keys", { name: `one of many ${i}` });
    keys.push({ applicationId: tenant.applicationId, apiKey: body.data.key });
  }
  return keys;
}

test("ten keys of an application get what the application may have, and another application goes on", async () => {
  const noisy = await product.tenant();
  const keys = await moreKeys(noisy, 10);
  const startMs = performance.now();
  const flooding = Promise.all(keys.map((key) => askOften(key, 60)));
  const quietAnswers = await askOften(quiet, 20);
  const answers = (await flooding).flat();
  const filled = ((performance.now() - startMs) / 1_000) * 10;
  expect(quietAnswers.map(({ status }) => status)).toEqual(quietAnswers.map(() => 200));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(300 + filled);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(100);
  for (const { status, headers, body } of refused) {
    expect([status, JSON.parse(body).message]).toEqual([429, "Too many requests of this application"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("ratelimit-policy")).toBe('"application";q=300;w=30, "key";q=200;w=20');
  }
});

test("the headers are correct: the remaining requests are answered at once, and refused ones cost other keys nothing", async () => {
  const tenant = await product.tenant();
  const [first, second] = await moreKeys(tenant, 2);
  if (first === undefined || second === undefined) throw new Error("there are no keys");
  const { headers } = await listTopics(first);
  const left = /"key";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1];
  expect(left).toBe("199");
  const answers = await askOften(first, Number(left) + 101);
  const statuses = answers.map(({ status }) => status);
  // Tokens refilled meanwhile allow a few more.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(199);
  // On a busy machine the bucket refills as fast as requests arrive.
  for (let more = 0; more < 10 && !statuses.includes(429); more++) {
    const later = await askOften(first, 101);
    answers.push(...later);
    statuses.push(...later.map(({ status }) => status));
  }
  const refusal = answers.find(({ status }) => status === 429);
  expect(JSON.parse(refusal?.body ?? "").message).toBe("Too many requests with this API key");
  const other = await askOften(second, 60);
  expect(other.map(({ status }) => status)).toEqual(other.map(() => 200));
});

test("an application has a hundred keys at most, also when they are made at once, and keeps those it has", async () => {
  const tenant = await product.tenant();
  const made: { status: number; message: string }[] = [];
  const lane = async () => {
    for (let i = 0; i < 27; i++) {
      const { status, body } = await tenant.api.post("/v0/api-keys", { name: "one of many" });
      made.push({ status, message: body.message });
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  const refused = made.filter(({ status }) => status !== 201);
  // The tenant's first key counts as one of the hundred.
  expect(made.length - refused.length).toBe(99);
  const message = "This application has the maximum of 100 API keys: delete one first";
  expect(refused).toEqual(refused.map(() => ({ status: 409, message })));
  expect((await tenant.api.get("/v0/topics")).status).toBe(200);
});
