// Hostile imports of other tools' files, exports, sessions, deletions, exact copies, attachments and cursors.

import { gzipSync } from "node:zlib";
import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { expectQuietDuring, quietly } from "../harness/quiet-tenant.ts";
import { rawClients, requestHead } from "../harness/raw-client.ts";
import type { TestTenant } from "../harness/tenant.ts";

const product = await startAttacked();
const answerBytesMax = 64 * 1024;
const mib = 1024 ** 2;

async function send({ apiKey, applicationId }: TestTenant, path: string, json: unknown, method = "POST") {
  const response = await fetch(`${product.facts.baseUrl}${path}`, {
    method,
    headers: {
      "x-api-key": apiKey,
      "x-application-id": applicationId,
      ...(json !== undefined && { "content-type": "application/json", "content-encoding": "gzip" }),
    },
    ...(json !== undefined && { body: new Uint8Array(gzipSync(JSON.stringify(json))) }),
  });
  return { status: response.status, text: await response.text() };
}

/** A row of each tool's files, in which `value` is where the tool has nested values. */
const shapes: Readonly<Record<string, (value: unknown) => object>> = {
  Langfuse: (value) => ({ input: value, expectedOutput: "4", metadata: value }),
  "fine-tuning": (value) => ({ messages: [{ role: "user", content: [{ type: "text", text: "2+2" }, value] }] }),
  evals: (value) => ({ item: value, input: "2+2", ideal: "4" }),
  DeepEval: (value) => ({ input: "2+2", expected_output: "4", actual_output: value, context: value }),
  Ragas: (value) => ({ user_input: "2+2", reference: "4", response: value, retrieved_contexts: value }),
  LangSmith: (value) => ({ inputs: value, outputs: value }),
  Braintrust: (value) => ({ input: value, expected: "4", output: value }),
  Phoenix: (value) => ({ example_id: "a", input: value, output: value }),
  promptfoo: (value) => ({ vars: { q: value }, assert: [{ type: "contains-any", value }] }),
};
const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
const hostileValues: Readonly<Record<string, unknown>> = {
  "nested 90 times": nested(90),
  "nested 5,000 times": nested(5_000),
  "a text of 3 MiB": "x".repeat(3 * mib),
  "100,000 members": Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at])),
  "100,000 texts": Array.from({ length: 100_000 }, () => "a"),
};

test.each(Object.keys(hostileValues))(
  "each tool's row with %s is imported or refused, and the answer is short",
  async (name) => {
    const hostile = await product.tenant();
    for (const [shape, build] of Object.entries(shapes)) {
      const content = `[${JSON.stringify(build(hostileValues[name]))}]`;
      const { status, text } = await send(hostile, "/v0/tasks/import", { content, dryRun: true });
      expect([200, 400, 413, 429], `${shape}: ${text.slice(0, 200)}`).toContain(status);
      expect(Buffer.byteLength(text), shape).toBeLessThan(answerBytesMax);
    }
  },
);

test.each([
  ["a gzip bomb", JSON.stringify({ content: "a".repeat(200 * mib) }), undefined],
  ["a workbook that is a zip of a zip", undefined, Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(mib, 80)])],
])("%s is refused early", async (_, body, workbook) => {
  const hostile = await product.tenant();
  const json = body === undefined ? { content: workbook?.toString("base64") } : JSON.parse(body);
  const { status } = await send(hostile, "/v0/tasks/import", json);
  expect([400, 413]).toContain(status);
});

test("hostile cursors and hashes are refused with 400 or 404", async () => {
  const [hostile, other] = [await product.tenant(), await product.tenant()];
  await other.api.post("/v0/ingest", { events: [1, 2].map(() => ({ type: "trace" })) });
  const { nextCursor } = (await other.api.get("/v0/transfer/traces")).body;
  const cursors = [
    nextCursor,
    "e30",
    "x".repeat(1_000),
    "%00",
    "' OR 1=1 --",
    Buffer.from('{"id":"trace"}').toString("base64url"),
  ];
  const lists = ["/v0/traces", "/v0/tests", "/v0/sessions", "/v0/traces/export", "/v0/tests/export"];
  for (const path of ["/v0/transfer/traces", "/v0/transfer/catalog", "/v0/transfer/results", ...lists])
    for (const cursor of cursors) {
      const { status, text } = await send(hostile, `${path}?after=${encodeURIComponent(cursor)}`, undefined, "GET");
      expect([path, cursor, status, text.slice(0, 100)]).toEqual([path, cursor, 400, expect.any(String)]);
    }
  for (const hash of ["..%2F..%2Fetc", "0".repeat(64), "%00", "g".repeat(64)]) {
    const { status } = await send(hostile, `/v0/traces/${newId()}/attachments/${hash}`, undefined, "GET");
    expect([400, 404]).toContain(status);
  }
});

test("deletions and feedback reach no trace of another tenant", async () => {
  const [hostile, victim] = [await product.tenant(), await product.tenant()];
  const events = [1, 2, 3].map((at) => ({ type: "trace", metadata: { at }, session: "shared" }));
  const { data } = (await victim.api.post("/v0/ingest", { events })).body;
  const ids: string[] = data.map(({ id }: { id: string }) => id);
  for (const filter of [{}, { user: "u" }, { metadataKey: "at", metadataValue: "1" }, { session: "shared" }]) {
    const { body } = await hostile.api.post("/v0/traces/delete", { filter, dryRun: true });
    expect([filter, body.count]).toEqual([filter, 0]);
    const { countedAt } = body;
    await hostile.api.post("/v0/traces/delete", { filter, count: 3, archivedCount: 0, countedAt });
  }
  for (const id of ids) {
    expect((await send(hostile, `/v0/traces/${id}`, undefined, "DELETE")).status).toBe(204);
    expect((await send(hostile, `/v0/traces/${id}/feedback`, { thumb: "UP" })).status).toBe(404);
  }
  expect((await victim.api.get("/v0/traces")).body.pagination.total).toBe(3);
  expect((await victim.api.get(`/v0/traces/${ids[0]}`)).body.data.feedback).toEqual([]);
});

test("sessions and exports have one's own rows only", async () => {
  const [hostile, victim] = [await product.tenant(), await product.tenant()];
  const traced = (name: string) => ({ type: "trace", session: "shared", metadata: { name } });
  await victim.api.post("/v0/ingest", { events: [traced("theirs"), traced("theirs")] });
  await hostile.api.post("/v0/ingest", { events: [traced("ours")] });
  const [theirs] = (await victim.api.get("/v0/sessions?externalId=shared")).body.data;
  const [ours] = (await hostile.api.get("/v0/sessions?externalId=shared")).body.data;
  expect(ours.id).not.toBe(theirs.id);
  expect((await send(hostile, `/v0/sessions/${theirs.id}`, undefined, "GET")).status).toBe(404);
  for (const query of ["", `?session=shared`, `?sessionId=${theirs.id}`, "?metadataKey=name&metadataValue=theirs"]) {
    const { status, text } = await send(hostile, `/v0/traces/export${query}`, undefined, "GET");
    expect([query, status, text.includes("theirs")]).toEqual([query, 200, false]);
  }
  for (const externalId of ["' OR 1=1 --", "a".repeat(10_000), "\u202e", "%"]) {
    const query = new URLSearchParams({ externalId });
    const { status, text } = await send(hostile, `/v0/sessions?${query}`, undefined, "GET");
    expect([status, JSON.parse(text).data]).toEqual([200, []]);
  }
});

test("exports reach no private address, however it is written, and show no secret", async () => {
  const hostile = await product.tenant();
  const settings = { bucket: "results", accessKeyId: "key", secretAccessKey: "a-secret", datasets: ["TRACES"] };
  const hosts = [
    "10.0.0.1",
    "169.254.169.254",
    "0xa000001",
    "167772161",
    "10.1",
    "0",
    "[::ffff:10.0.0.1]",
    "[fd00::1]",
  ];
  const urls = [...hosts, "private.example.com"].flatMap((host) => [`https://${host}`, `http://${host}:9000`]);
  for (const endpoint of [
    ...urls,
    "https://user@storage.example.com",
    "https://storage.example.com/path",
    "file:///etc",
  ]) {
    for (const pathStyle of [true, false]) {
      const body = { ...settings, endpoint, pathStyle };
      const { status, text } = await send(hostile, "/v0/export-settings", body, "PUT");
      expect([endpoint, status, text.includes("a-secret")]).toEqual([endpoint, 400, false]);
    }
  }
  expect((await send(hostile, "/v0/export-settings/test", {})).status).toBe(404);
});

test("paths on a trace are read or refused, and the answer is short", async () => {
  const hostile = await product.tenant();
  const steps = [{ type: "agent", name: "turn", input: nested(20), output: "x".repeat(mib / 4) }];
  const { data } = (await hostile.api.post("/v0/ingest", { events: [{ type: "trace", steps }] })).body;
  const long = (unit: string) => `root.input${unit.repeat(Math.floor(900 / unit.length))}`;
  for (const path of [
    long(".a"),
    long("[-1]"),
    long("['a']"),
    "root.__proto__.constructor",
    "step['x",
    "root.input[9e99]",
  ])
    for (const field of ["question", "answer", "context", "session", "user"]) {
      const { status, text } = await send(hostile, `/v0/traces/${data[0].id}/test-paths`, { [field]: path });
      expect([200, 400], `${field} ${path.slice(0, 30)}: ${text.slice(0, 200)}`).toContain(status);
      expect(Buffer.byteLength(text)).toBeLessThan(answerBytesMax);
    }
});

test.each<[string, () => object]>([
  [
    "a mapping of 100 deep paths over 5,000 rows",
    () => ({
      mapping: Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`a.${at}.${"b.".repeat(90)}c`, `metadata.k${at}`]),
      ),
      content: Array.from({ length: 5_000 }, (_, at) => JSON.stringify({ a: nested(20), title: `t${at}` })).join("\n"),
    }),
  ],
  [
    "a mapping to keys of every object",
    () => ({ mapping: { __proto__x: "prompt", constructor: "metadata.__proto__" }, content: "constructor,q\na,b" }),
  ],
  [
    "variables of files that multiply",
    () => ({
      content: `prompts: ["${"{{a}}{{b}}".repeat(200)}"]\nproviders: [x]\ntests: [{vars: {a: "file://*.txt", b: "file://*.txt"}}]\n`,
      files: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}.txt`, "x".repeat(40_000)])),
    }),
  ],
  [
    "filters of a template that go on",
    () => ({ content: `prompts: ["{{a${" | dump".repeat(20_000)}}}"]\nproviders: [x]\ntests: [{vars: {a: b}}]\n` }),
  ],
])("%s cost little", async (_, build) => {
  const [hostile, quiet] = [await product.tenant(), await product.tenant()];
  const attack = send(hostile, "/v0/tasks/import", { ...build(), dryRun: true });
  await quietly(quiet, 3_000, 5_000);
  const { status, text } = await attack;
  expect([200, 400, 413], text.slice(0, 200)).toContain(status);
  expect(Buffer.byteLength(text)).toBeLessThan(answerBytesMax);
});

test("exports that are never read do not delay another tenant's", async () => {
  const [hostile, quiet] = [await product.tenant(), await product.tenant()];
  for (const tenant of [hostile, quiet]) {
    const events = Array.from({ length: 60 }, () => ({
      type: "trace",
      steps: [{ type: "request", content: "x".repeat(90_000) }],
    }));
    await tenant.api.post("/v0/ingest", { events });
  }
  const { apiKey, applicationId } = hostile;
  const head = requestHead("GET /v0/traces/export", { "x-api-key": apiKey, "x-application-id": applicationId });
  const readers = await rawClients(6, product.facts.baseUrl, head);
  await quietly(quiet, 3_000);
  const { status, text } = await send(quiet, "/v0/traces/export", undefined, "GET");
  expect([status, text.split("\n").length]).toEqual([200, 61]);
  for (const { socket } of readers) socket.destroy();
});

test("a quiet tenant notices little of an import of very many rows in pieces", async () => {
  const hostile = await product.tenant();
  const statuses = new Set<number>();
  const attacks = await expectQuietDuring({ ...(await product.tenant()), ...product.facts }, async (count) => {
    const rows = Array.from({ length: 1_000 }, (_, at) => `${count}-${at},What costs ${count} times ${at}?,${at}`);
    const content = ["id,question,answer", ...rows].join("\n");
    statuses.add((await send(hostile, "/v0/tasks/import", { content })).status);
  });
  expect(attacks).toBeGreaterThan(0);
  for (const status of statuses) expect([200, 429]).toContain(status);
});
