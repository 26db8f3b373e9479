// Redaction with an application's own patterns and texts: both together cost other tenants little, and nothing passes unredacted.

import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
const noisy = await product.tenant();
const quiet = await product.tenant();

const set = (redactions: unknown) => noisy.api.send("PUT", "/v0/ingest-settings", { json: { redactions } });
const own = (patterns: readonly string[], replacement?: string) =>
  patterns.map((pattern, index) => ({ name: `own-${index}`, pattern, replacement }));
const ingest = ({ api }: typeof noisy, content: string) =>
  api.post("/v0/ingest", { events: [{ type: "log", content }] });
const readContent = async (id: string) => (await noisy.api.get(`/v0/traces/${id}`)).body.data.steps[0].content;

test("patterns that backtrack, explode or match nothing are refused or compiled at once", async () => {
  const startMs = performance.now();
  expect((await set(own(["(a*)*b", "(x+x+)+y", "(a|aa)+$", "(.*)(.*)(.*)z"]))).status).toBe(200);
  for (const pattern of ["a{1000}", "((a{30}){30}){30}", "(?:a?){500}", "(?=a)", "\\1", "[", "a".repeat(501), "|"])
    expect([pattern, (await set(own([pattern]))).status]).toEqual([pattern, 400]);
  const many = Array.from({ length: 90 }, (_, index) => `w${index}x`).join("|");
  expect((await set(own([many]))).status).toBe(400);
  expect((await set(own(Array.from({ length: 21 }, () => "a")))).status).toBe(400);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

test("20 slow patterns over payloads of a megabyte do not hold up another tenant, and let nothing through", async () => {
  const patterns = Array.from({ length: 20 }, (_, index) => `[a-${"klmnopqrstuvwxyz"[index % 16]}]{1,50}${index}\\d`);
  expect((await set(own(patterns))).status).toBe(200);
  // A match in each part of the text, so that all of it is searched.
  const payload = `secret ${`${"a".repeat(900)}77`.repeat(1_100)}`;
  const attacks = Promise.all([1, 2, 3].map(() => ingest(noisy, payload)));
  let isOver = false;
  const ended = attacks.finally(() => {
    isOver = true;
  });
  const latencies: number[] = [];
  do {
    const startMs = performance.now();
    expect((await ingest(quiet, "a@b.example")).status).toBe(200);
    latencies.push(performance.now() - startMs);
    // Within its own rate limit, for the whole attack.
    await delay(25);
  } while (!isOver);
  const answers = await ended;
  const median = latencies.sort((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
  expect(median).toBeLessThan(1_000);
  for (const { status, body } of answers) {
    // Either it is stored without matches (replaced as a whole if that takes too long), or the request was refused as too large.
    expect([200, 429, 503, 504]).toContain(status);
    if (status === 200) expect((await readContent(body.data[0].id)).includes("77")).toBe(false);
  }
});

test("replacements make a request a few megabytes longer at most", async () => {
  expect((await set(own(["a"], "x".repeat(100)))).status).toBe(200);
  const { status, body } = await ingest(noisy, "a ".repeat(500_000));
  expect([status, body.data[0].success]).toEqual([200, true]);
  expect(await readContent(body.data[0].id)).toBe("[redacted]");
});
