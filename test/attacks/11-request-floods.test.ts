// Requests with side effects that cost more have limits of their own: mails to the team, tests of a webhook, rows to store.

import { readdir } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import type { Answer } from "../harness/api.ts";
import { startAttacked } from "../harness/attacked-product.ts";
import { startMailServer } from "../harness/mail-server.ts";

const mailServer = await startMailServer();
afterAll(() => mailServer.close());
const rows = { RATE_LIMIT_INGEST_ROWS_PER_MINUTE: "3000", RATE_LIMIT_INGEST_ROWS_BURST: "1000" };
const product = await startAttacked("one", { ...mailServer.env, ...rows });
const [noisy, quiet] = [await product.tenant(), await product.tenant()];

/** Every refusal names the limited application, the policy, and Retry-After. */
function expectRefused(refused: readonly Answer[], message: string, policy: RegExp): void {
  for (const { status, body, headers } of refused) {
    expect([status, body.message]).toEqual([429, message]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("ratelimit-policy")).toMatch(policy);
  }
}

test("300 times feedback: a few mails go out, and another application's is not behind them", async () => {
  const flood = Array.from({ length: 3 }, async () => {
    const answers: Answer[] = [];
    for (let i = 0; i < 50; i++) answers.push(await noisy.api.post("/v0/feedback", { feedback: `Noise ${i}` }));
    return answers;
  });
  const { body } = await quiet.api.post("/v0/feedback", { feedback: "A quiet word" });
  expect(body).toEqual({ success: true });
  const answers = (await Promise.all(flood)).flat();
  const mails = (await readdir(mailServer.dir)).filter((name) => name.endsWith(".json"));
  // Five at once, and one more in six seconds; one of them is the quiet tenant's.
  expect(mails.length).toBeLessThanOrEqual(12);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(130);
  expectRefused(refused, "Too much feedback of this application", /"feedback";q=5;w=30$/);
});

test("a webhook is tested ten times, and then more slowly", async () => {
  const answers: Answer[] = [];
  for (let i = 0; i < 20; i++) answers.push(await noisy.api.post("/v0/webhook/test", {}));
  // There is no webhook to test.
  expect(answers.slice(0, 10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 404));
  const refused = answers.filter(({ status }) => status !== 404);
  expect(refused.length).toBeGreaterThan(5);
  expectRefused(refused, "Too many webhook tests of this application", /"webhook-test";q=10;w=60$/);
  expect((await quiet.api.post("/v0/webhook/test", {})).status).toBe(404);
});

test("rows are counted, not requests: steps in events and spans of OpenTelemetry from one budget", async () => {
  const span = (i: number) => ({
    traceId: "5b8efff798038103d269b633813fc60c",
    spanId: (i + 1).toString(16).padStart(16, "0"),
    name: "step",
    startTimeUnixNano: "1769000000000000000",
    endTimeUnixNano: "1769000001000000000",
  });
  const otlp = (count: number) => ({
    resourceSpans: [{ scopeSpans: [{ spans: Array.from({ length: count }, (_, i) => span(i)) }] }],
  });
  const events = (count: number) => ({
    events: [{ type: "trace", steps: Array.from({ length: count }, () => ({ type: "log" })) }],
  });
  expect((await noisy.api.post("/v0/otel/traces", otlp(400))).status).toBe(200);
  expect((await noisy.api.post("/v0/ingest", events(500))).status).toBe(200);
  const refused = [await noisy.api.post("/v0/ingest", events(900))];
  // Spans are counted when stored: the next request waits for the limit to allow it.
  expect((await noisy.api.post("/v0/otel/traces", otlp(900))).status).toBe(200);
  refused.push(await noisy.api.post("/v0/otel/traces", otlp(1)), await noisy.api.post("/v0/ingest", events(1)));
  expectRefused(refused, "Too many ingested rows of this application", /"ingest";q=1000;w=20;qu="rows"$/);
  expect((await quiet.api.post("/v0/ingest", events(900))).status).toBe(200);
});
