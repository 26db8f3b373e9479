// Trace searches: texts and payloads with very many words cost a bounded index, and no other tenant's steps wait for them.

import { runningUrl } from "@ems/deploy/running-database";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
const noisy = await product.tenant();
const quiet = await product.tenant();
const client = new pg.Client({ connectionString: await runningUrl(product.facts.dataDir) });
beforeAll(() => client.connect());
afterAll(() => client.end());

const total = async (search: string, { api } = quiet) => {
  const { status, body } = await api.get(`/v0/traces?search=${encodeURIComponent(search)}`);
  return status === 200 ? body.pagination.total : status;
};
const manyWords = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(" ");

test("payloads of 100,000 words are indexed in part, and another tenant's step is found meanwhile", async () => {
  const traceId = newId();
  const content = manyWords(100_000);
  for (let request = 0; request < 5; request++) {
    const { status } = await noisy.api.post("/v0/ingest", { events: [{ type: "log", traceId, content }] });
    expect(status).toBe(200);
  }
  await quiet.api.post("/v0/ingest", { events: [{ type: "log", content: "a single needle" }] });
  await vi.waitFor(async () => expect(await total("needle")).toBe(1), { timeout: 60_000, interval: 200 });
  await vi.waitFor(async () => expect(await total("w0 w19999", noisy)).toBe(1), { timeout: 60_000, interval: 200 });
  // Words with digits have no beginnings in the index, so that more of them fit in.
  expect(await total("w80000", noisy)).toBe(0);
  const { rows } = await client.query(
    "SELECT sum(cardinality(words))::int AS words FROM traces.trace_words WHERE trace_id = $1",
    [traceId],
  );
  expect(rows[0].words).toBeLessThan(84_000);
});

test("the longest search that is allowed is answered, a longer one refused", async () => {
  expect(await total("zz ".repeat(66))).toBe(0);
  expect(await total(`${"w1 ".repeat(66)}w2`, noisy)).toBe(1);
  expect(await total("a".repeat(201))).toBe(400);
  expect(await total("\u0301".repeat(200))).toBe(0);
  expect(await total("'); DROP TABLE traces.trace_words; --")).toBe(0);
  expect(await total("{1,2}")).toBe(0);
});

test("searches without pause leave another tenant's requests answered", async () => {
  const search = "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16";
  const noise = Promise.all(Array.from({ length: 30 }, () => noisy.api.get(`/v0/traces?search=${search}`)));
  for (let call = 0; call < 10; call++) expect((await quiet.api.get("/v0/traces")).status).toBe(200);
  // 503 if tests of other files use all CPU, and the process sheds load.
  for (const { status } of await noise) expect([200, 429, 503]).toContain(status);
});

test("a word of one tenant is found by no other, nor is its absence revealed", async () => {
  expect(await total("w1")).toBe(0);
  expect(await total("needle", noisy)).toBe(0);
});
