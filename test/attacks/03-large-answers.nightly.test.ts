import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked("one", { NODE_OPTIONS: "--max-old-space-size=256" });
const attacker = await product.tenant();
const { api: quiet } = await product.tenant();

const answerBytesMax = 64 * 1024;
const long = "k".repeat(520_000);

/** Size and text of the answer to a body. */
async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(product.facts.baseUrl + path, {
    method,
    headers: {
      "x-api-key": attacker.apiKey,
      "x-application-id": attacker.applicationId,
      ...(body !== undefined && { "content-type": "application/json", "content-encoding": "gzip" }),
      ...headers,
    },
    ...(body !== undefined && { body: gzipSync(typeof body === "string" ? body : JSON.stringify(body)) }),
  });
  const text = await response.text();
  return { status: response.status, bytes: Buffer.byteLength(text), body: JSON.parse(text) };
}

function expectBounded({ status, bytes, body }: Awaited<ReturnType<typeof send>>): void {
  expect(status).toBe(400);
  expect(bytes).toBeLessThanOrEqual(answerBytesMax);
  expect(body.issues.length).toBeGreaterThan(0);
  expect(body.issues.length).toBeLessThanOrEqual(100);
  for (const { path, message } of body.issues) {
    for (const part of path) expect(part.length).toBeLessThanOrEqual(100);
    expect(message.length).toBeLessThanOrEqual(1_000);
  }
}

test("a key of 520,000 characters over a thousand wrong numbers is answered in 64 KiB, four at once", async () => {
  const body = `{"metadata": {"${long}": [${Array(1_000).fill("1e999")}]}}`;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => send("POST", "/v0/documents", `{"title": "a", ${body.slice(1)}`)),
  );
  answers.forEach(expectBounded);
  expect(answers[0]?.body.issues[0].path[1]).toMatch(/^k{50,99}…$/);
  expect((await quiet.get("/v0/topics")).status).toBe(200);
});

describe("nor does any other echo outgrow it:", () => {
  const control = "\u0001".repeat(30_000);

  test.each<[string, unknown]>([
    ["an unknown field", { [long]: 1 }],
    ["ten thousand of them", Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]))],
    ["a wrong value of a choice", { title: "a", status: long }],
    ["names that JSON escapes", { title: "a", [control]: { [control]: control }, [`${control}1`]: 1 }],
    ["what is no JSON", `{"title": "${long}`],
    ["text of no JSON", long],
  ])("%s", async (_, body) => {
    expectBounded(await send("POST", "/v0/topics", body));
  });

  test("deep paths of control characters", async () => {
    const nest = (value: unknown): unknown =>
      Array.from({ length: 25 }).reduce<unknown>(
        (inner, _, level) => ({ ["\u0001".repeat(100) + level]: inner }),
        value,
      );
    const metadata = nest(Array.from({ length: 200 }, () => "\u0000"));
    expectBounded(await send("POST", "/v0/documents", { title: "a", metadata }));
  });

  test("an unknown parameter, and thousands of malformed ones", async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `%${index}`);
    expectBounded(await send("GET", `/v0/topics?${"n".repeat(10_000)}=1`));
    expectBounded(await send("GET", `/v0/topics?${names.join("&")}`));
    expectBounded(await send("GET", `/v0/topics?status=${"s".repeat(10_000)}`));
  });

  test("ids of a thousand elements in a list", async () => {
    const taskIds = Array.from({ length: 1_000 }, () => "x".repeat(500));
    expectBounded(await send("POST", "/v0/tasks/tags", { taskIds, tagIds: taskIds }));
  });

  test("an unknown route", async () => {
    const { status, bytes } = await send("GET", `/v0/${"r".repeat(10_000)}`);
    expect([status, bytes < 1_000]).toEqual([404, true]);
  });
});

test("a service that finds a thousand faults lists a hundred, over the mesh too", async () => {
  const mesh = await startAttacked("mesh");
  onTestFinished(async () => void (await mesh.remove()));
  const tenant = await mesh.tenant();
  const tests = Array.from({ length: 1_000 }, () => ({
    taskId: "01900000-0000-7000-8000-000000000000",
    createdAt: "2001-01-01T00:00:00Z",
  }));
  const { status, body } = await tenant.api.post("/v0/tests/results", { tests });
  expect(status).toBe(400);
  expect(body.issues.length).toBeGreaterThan(50);
  expect(body.issues.length).toBeLessThanOrEqual(100);
});
