import type { JsonValue } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { newId } from "@ems/kit/id";
import { parseJson } from "@ems/kit/json/exact-number";
import { readValidated } from "@ems/kit/json/read-validated";
import { IngestEventsRequestSchema, IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const { database } = harness;
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

type Request = Parameters<typeof traces.downloadTraces>[0];

/** Sends events as the gateway reads them from JSON. */
async function send(tenant: ReturnType<typeof testTenant>, events: JsonValue[]) {
  const { message, issues } = readValidated(IngestEventsRequestSchema, { events });
  expect(issues).toEqual([]);
  const { data } = await ingest.ingestEvents(message, testCall(tenant));
  expect(data.filter(({ success }) => !success)).toEqual([]);
  return data.map(({ id }) => id ?? "");
}

async function download(tenant: ReturnType<typeof testTenant>, request: Request = {}) {
  const lines: string[] = [];
  let pages = 0;
  for (let after = request.after; ; pages += 1) {
    const page = await traces.downloadTraces({ ...request, ...(after !== undefined && { after }) }, testCall(tenant));
    const text = Buffer.from(page.payload).toString();
    if (text !== "") lines.push(...text.trimEnd().split("\n"));
    after = page.next;
    if (after === undefined) return { lines, pages: pages + 1 };
  }
}
const parse = (line: string) => parseJson(line) as Record<string, JsonValue>;
const read = async (tenant: ReturnType<typeof testTenant>, id: string) => {
  const { data } = await traces.getTrace({ id }, testCall(tenant));
  const { applicationId: _, createdAt: _c, modifiedAt: _m, sessionId: _s, ...trace } = data ?? {};
  return trace;
};

test("the lines of a trace create the same trace in another application", async () => {
  const [from, to] = [testTenant(), testTenant()];
  const evals = [
    { id: newId(), status: "COMPLETED", score: 0.5, definition: { id: newId(), name: "d", type: "CUSTOM" } },
  ];
  const [id = ""] = await send(from, [
    {
      type: "trace",
      referenceId: "order-1",
      testId: newId(),
      metadata: { order: 1, user: { id: "from-metadata" } },
      user: "ann",
      session: "chat-1",
      service: "shop",
      version: "1.2",
      environment: "production",
      evals,
      externalEvaluations: [{ name: "relevance", score: 0.000_000_1, label: "good", source: "tool" }],
      totalCost: 1.25,
      steps: [
        { type: "request", content: "  Where?\r\n\u2028é", timestamp: "2026-01-01T00:00:00.001Z", durationMs: 12.345 },
        {
          type: "llm",
          modelId: "gpt-4o",
          timestamp: "2026-01-01T00:00:00.002Z",
          input: [{ role: "user", content: "Where?" }],
          output: "plain words",
          usage: { promptTokens: 20, completionTokens: 3, cachedTokens: 4, reasoningTokens: 1 },
          costAmount: 0.000_000_123,
          params: { seed: 1 },
          finishReason: "stop",
          steps: [
            { type: "tool", id: "call-1", toolInput: { a: [1, "x"] }, toolOutput: "", status: "error", error: "no" },
          ],
        },
        { type: "llm", event: "end", output: { answer: 1 }, modelId: "unknown-model", usage: { promptTokens: 1 } },
        { type: "retriever", query: "q" },
        { type: "evaluator", evaluationScore: 0.3, evaluationExplanation: { why: "x" }, evaluatorName: "e" },
        { type: "guardrail", guardrailTriggered: false, guardrailType: "pii", group: "g" },
        { type: "group", key: "g", metadata: ["a"] },
      ],
    },
  ]);
  const { lines } = await download(from);
  expect(lines).toHaveLength(1);
  expect(await send(to, lines.map(parse))).toEqual([id]);
  const [before, after] = [await read(from, id), await read(to, id)];
  expect(after).toEqual(before);
  expect(before).toMatchObject({ user: "ann", session: "chat-1", totalCost: 1.25, service: "shop", stepCount: 8n });
  // Again: the same lines change nothing.
  await send(to, lines.map(parse));
  expect(await read(to, id)).toEqual(before);
});

test("integers beyond 2^53 keep their digits", async () => {
  const [from, to] = [testTenant(), testTenant()];
  const event = `{"type":"trace","metadata":{"order":9054686819491029395},"steps":[{"type":"tool","toolInput":{"id":18446744073709551615},"params":{"n":1983516295378495150}}]}`;
  await send(from, [parseJson(event)]);
  const {
    lines: [line = ""],
  } = await download(from);
  expect(line).toContain('{"order":9054686819491029395}');
  expect(line).toContain(JSON.stringify('{"id":18446744073709551615}'));
  expect(line).toContain('{"n":1983516295378495150}');
  await send(to, [parse(line)]);
  const {
    lines: [repeated = ""],
  } = await download(to);
  expect({ ...parse(repeated), cursor: "" }).toEqual({ ...parse(line), cursor: "" });
});

test("a trace larger than a line has several lines, and any cursor continues after its line", async () => {
  const [from, to] = [testTenant(), testTenant()];
  const text = "x".repeat(400_000);
  const steps = Array.from({ length: 7 }, (_, index) => ({
    type: "log",
    name: String(index),
    content: `${index} ${text}`,
    timestamp: "2026-01-01T00:00:00Z",
  }));
  const [small = ""] = await send(from, [{ type: "trace", metadata: { first: true } }]);
  harness.clock.advance(1);
  const [large = ""] = await send(from, [{ type: "trace", user: "ann", steps }]);
  harness.clock.advance(1);
  await send(from, [{ type: "log", content: "last" }]);
  const { lines, pages } = await download(from);
  expect(pages).toBe(6);
  const events = lines.map(parse);
  expect(events.map(({ traceId }) => traceId)).toEqual([small, large, large, large, large, expect.any(String)]);
  expect(events.map(({ user }) => user)).toEqual([undefined, "ann", undefined, undefined, undefined, undefined]);
  for (const [index, { cursor }] of events.entries()) {
    const rest = await download(from, { after: String(cursor) });
    expect(rest.lines).toEqual(lines.slice(index + 1));
  }
  await send(to, events);
  expect(await read(to, large)).toEqual(await read(from, large));
  const all = await traces.listTraceSteps({ id: large, limit: 100 }, testCall(to));
  expect(all.data.map(({ name }) => name)).toEqual(steps.map(({ name }) => name));
});

test("traces that arrive or are deleted during an export neither repeat nor lose others", async () => {
  const tenant = testTenant();
  for (let group = 0; group < 3; group += 1) {
    harness.clock.advance(1);
    await send(
      tenant,
      Array.from({ length: 60 }, (_, index) => ({ type: "trace", metadata: { n: group * 60 + index } })),
    );
  }
  const first = await traces.downloadTraces({}, testCall(tenant));
  const seen = Buffer.from(first.payload).toString().trimEnd().split("\n").map(parse);
  expect(seen).toHaveLength(50);
  harness.clock.advance(60_000);
  await send(tenant, [{ type: "trace", metadata: { n: "late" } }]);
  await database.sql("DELETE FROM traces.trace WHERE id = $1", [String(seen.at(-1)?.traceId)]);
  const { lines } = await download(tenant, { after: first.next ?? "" });
  const numbers = [...seen, ...lines.map(parse)].map(({ metadata }) => (metadata as { n: number }).n);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 180 }, (_, index) => index));
  // A new export contains the trace that arrived.
  expect((await download(tenant)).lines).toHaveLength(180);
});

test("filters of the list and times of arrival select traces", async () => {
  const tenant = testTenant();
  await send(tenant, [
    { type: "trace", user: "ann" },
    { type: "trace", user: "ben" },
  ]);
  harness.clock.advance(10);
  const middle = timestampFromDate(harness.clock.now());
  harness.clock.advance(10);
  await send(tenant, [{ type: "trace", user: "ann", metadata: { plan: "pro" } }]);
  const count = async (request: Request) => (await download(tenant, request)).lines.length;
  expect(await count({ user: "ann" })).toBe(2);
  expect(await count({ user: "ann", createdFrom: middle })).toBe(1);
  expect(await count({ createdUntil: middle })).toBe(2);
  expect(await count({ metadataKey: "plan", metadataValue: "pro" })).toBe(1);
  expect(await count({ user: "eve" })).toBe(0);
});

test("a cursor of another tenant, other filters or another list is refused, and so are invalid ones", async () => {
  const [tenant, other] = [testTenant(), testTenant()];
  await send(tenant, [{ type: "trace" }]);
  const {
    lines: [line = ""],
  } = await download(tenant);
  const cursor = String(parse(line).cursor);
  const problem = async (request: Request, by = tenant) => {
    const error = await traces.downloadTraces(request, testCall(by)).then(
      () => undefined,
      (thrown: unknown) => ConnectError.from(thrown),
    );
    expect(error?.code).toBe(Code.InvalidArgument);
    return error?.message;
  };
  await problem({ after: cursor }, other);
  await problem({ after: cursor, user: "ann" });
  const [version, list, tenantDigest, order, filters, key, id] = JSON.parse(
    Buffer.from(cursor, "base64url").toString(),
  );
  const forge = (...parts: unknown[]) =>
    Buffer.from(JSON.stringify([version, list, tenantDigest, order, filters, ...parts])).toString("base64url");
  const [until, createdAt] = key.split(" ");
  for (const after of [
    "x",
    "e30",
    cursor.slice(1),
    forge(null, id),
    forge("", id),
    forge(until, id),
    forge(`${until} ${createdAt}`, "x"),
    forge(`${until} ${createdAt} ${createdAt}`, id),
    forge(`${until} ${createdAt} ${createdAt} -1`, id),
    forge(`${until} ${createdAt} ${createdAt} 4294967296`, id),
    forge(`${until} -271821-04-20T00:00:00.000Z`, id),
    forge(`${until} 0000-01-01T00:00:00.000Z`, id),
    forge(`+012026-01-01T00:00:00.000Z ${createdAt}`, id),
    forge(`${until} ${createdAt} ${createdAt} 1 1`, id),
  ])
    await problem({ after });
  // A forged place of another tenant's trace finds nothing.
  const theirs = forge(`${until} ${createdAt} 0001-01-01T00:00:00.000Z 0`, newId());
  expect((await download(tenant, { after: theirs })).lines.map(parse)).toEqual([]);
});
