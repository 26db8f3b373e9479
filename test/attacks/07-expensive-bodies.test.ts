import { gzipSync } from "node:zlib";
import { newId } from "@ems/kit/id";
import { expect, test, vi } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked("one", { NODE_OPTIONS: "--max-old-space-size=256" });
const { api: quiet } = await product.tenant();

async function send(by: TestTenant, path: string, body: Uint8Array<ArrayBuffer>, encoding = "gzip") {
  const response = await fetch(product.facts.baseUrl + path, {
    method: "POST",
    headers: {
      "x-api-key": by.apiKey,
      "x-application-id": by.applicationId,
      "content-type": "application/json",
      "content-encoding": encoding,
    },
    body,
  });
  const answer = (await response.json()) as { message?: string };
  return { status: response.status, message: answer.message, retryAfter: response.headers.get("retry-after") };
}

const packed = (body: string) => new Uint8Array(gzipSync(body, { level: 9 }));
const list = (item: string, bytes: number) =>
  `[${Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join()}]`;
const document = (metadata: string) => `{"title": "a", "content": "b", "metadata": {"a": ${metadata}}}`;
const events = (step: string, count: number) => {
  const trace = (steps: number) => `{"type": "trace", "steps": [${Array(steps).fill(step).join()}]}`;
  return `{"events": [${Array(Math.ceil(count / 1_000))
    .fill(trace(1_000))
    .join()}]}`;
};
const mebibyte = 1_040_000;

/** Sends requests as a quiet tenant during `work`; returns the longest latency. */
async function measureQuiet<T>(work: Promise<T>): Promise<[T, number]> {
  let isOver = false;
  let worstMs = 0;
  const askOn = async () => {
    while (!isOver) {
      const started = performance.now();
      const { status, body } = await quiet.get("/v0/topics");
      // If tests of other files use all CPU, the process sheds load.
      if (status !== 503) expect([status, body.message]).toEqual([200, undefined]);
      worstMs = Math.max(worstMs, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const [done] = await Promise.all([work.finally(() => (isOver = true)), askOn()]);
  await vi.waitFor(async () => expect((await quiet.get("/v0/topics")).status).toBe(200), 10_000);
  return [done, worstMs];
}

test("bodies of 1 KB that become a megabyte of values are refused by number, and many at once run dry", async () => {
  const attacker = await product.tenant();
  for (const body of [list("1", mebibyte), list("{}", mebibyte), list("[]", mebibyte), list('""', mebibyte)]) {
    const { status, message } = await send(attacker, "/v0/documents", packed(document(body)));
    expect([status, message]).toEqual([
      413,
      "The request body has more than 100000 values. Send it as several requests",
    ]);
  }
  const flood = packed(document(list("1", 190_000)));
  expect(flood.length).toBeLessThan(2_000);
  const [answers, worstMs] = await measureQuiet(
    Promise.all(Array.from({ length: 60 }, () => send(attacker, "/v0/documents", flood))),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => ![201, 413, 429].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 201).length).toBeLessThan(12);
  for (const { status, message, retryAfter } of answers) {
    if (status !== 429) continue;
    expect(message).toMatch(/of this application|with this API key/);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  }
  expect(worstMs).toBeLessThan(5_000);
});

test("four at once of every shape leave a process of 256 MB alive", async () => {
  const traceId = newId();
  const shapes: [string, string][] = [
    ["/v0/ingest", events("{}", 300_000)],
    ["/v0/ingest", events('{"type": "log"}', 60_000)],
    ["/v0/ingest", events('{"type": "x"}', 60_000)],
    ["/v0/ingest", `{"events": [{"type": "log", "traceId": "${traceId}", "input": ${list("{}", mebibyte)}}]}`],
    ["/v0/ingest", `{"events": [{"type": "log", "traceId": "${traceId}", "input": ${list("1", 195_000)}}]}`],
    ["/v0/ingest", `{"events": ${list("1", mebibyte)}}`],
    ["/v0/otel/traces", `{"resourceSpans": ${list("{}", mebibyte)}}`],
    ["/v0/otel/traces", `{"resourceSpans": [{"scopeSpans": [{"spans": ${list("{}", 200_000)}}]}]}`],
    ["/v0/documents", document(list("[[[[1e999]]]]", mebibyte))],
    ["/v0/tests/results", `{"tests": ${list('{"taskId": "x", "evaluations": [{}, {}, {}]}', mebibyte)}}`],
    ["/v0/topics", `{${Array.from({ length: 90_000 }, (_, index) => `"${index}":0`).join()}}`],
  ];
  for (const [path, body] of shapes) {
    // A new application each, so that used-up limits do not matter.
    const attacker = await product.tenant();
    const [answers] = await measureQuiet(
      Promise.all(Array.from({ length: 4 }, () => send(attacker, path, packed(body)))),
    );
    expect(answers.map(({ status }) => [200, 400, 413, 429].includes(status))).toEqual(Array(4).fill(true));
  }
  expect(product.process.exitCode).toBeNull();
});

test("2 KB of gzip do not write 60,000 rows: steps of a request, nested or spans, are counted", async () => {
  const many = "A request can create at most 21000 traces and steps";
  const nested = '{"type":"log","steps":[{"type":"log","steps":[{"type":"log"}]}]}';
  for (const [path, body] of [
    ["/v0/ingest", events('{"type":"log"}', 30_000)],
    ["/v0/ingest", events(nested, 8_000)],
    [
      "/v0/otel/traces",
      `{"resourceSpans": [{"scopeSpans": [{"spans": [${Array(21_001).fill('{"name":"a"}').join()}]}]}]}`,
    ],
  ] as const) {
    // A new application each: refused rows count, too.
    const attacker = await product.tenant();
    const { status, message } = await send(attacker, path, packed(body));
    expect([status, message]).toEqual([413, many]);
    expect((await attacker.api.get("/v0/traces")).body.pagination.total).toBe(0);
  }
});

test("a bomb is left at the size that it may have, whichever route, in one piece or several", async () => {
  const attacker = await product.tenant();
  const tooLarge = [413, "The request body is larger than 1 MiB"];
  const zeros = gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 9 });
  expect(zeros.length).toBeLessThan(250_000);
  const pieces = Buffer.concat(Array.from({ length: 400 }, () => gzipSync(" ".repeat(500_000), { level: 9 })));
  for (const bomb of [zeros, pieces]) {
    const bodies = Array.from({ length: 6 }, () => send(attacker, "/v0/feedback", new Uint8Array(bomb)));
    const [answers, worstMs] = await measureQuiet(Promise.all(bodies));
    for (const { status, message } of answers) expect([status, message]).toEqual(tooLarge);
    expect(worstMs).toBeLessThan(5_000);
  }
  const broken = await send(attacker, "/v0/topics", packed('{"title": "a"}').slice(0, 20));
  expect(broken.status).toBe(400);
});

test("who sends a few large bodies as clients do is not refused", async () => {
  const { api } = await product.tenant();
  const step = {
    type: "llm",
    name: "answer",
    durationMs: 12.5,
    tokens: { input: 12, output: 3 },
    input: "What?",
    output: "That.",
  };
  const trace = () => ({ type: "trace", traceId: newId(), metadata: { user: "u" }, steps: [step, step] });
  for (let call = 0; call < 5; call++) {
    const { status, headers } = await api.post("/v0/ingest", { events: Array.from({ length: 1_000 }, trace) });
    expect([status, Number(headers.get("content-length")) > 0 || true]).toEqual([200, true]);
  }
  const together = await Promise.all(
    Array.from({ length: 8 }, () => api.post("/v0/ingest", { events: Array.from({ length: 200 }, trace) })),
  );
  expect(together.map(({ status }) => status)).toEqual(Array(8).fill(200));
});
