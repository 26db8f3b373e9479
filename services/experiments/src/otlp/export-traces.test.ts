import type { JsonObject } from "@bufbuild/protobuf";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { ingestRowsMax } from "@ems/proto/limits";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../test/harness.ts";

const harness = await experimentsHarness();
const call = testCall(harness.tenant);
const otlp = harness.client(OtlpService);
const traces = harness.client(TraceService);

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = (spanId: number, more: JsonObject = {}): JsonObject => ({
  traceId,
  spanId: String(spanId).padStart(16, "0"),
  name: `span ${spanId}`,
  startTimeUnixNano: `${1772443800 + spanId}000000000`,
  ...more,
});
const post = async (json: JsonObject) => {
  const body = { payload: Buffer.from(JSON.stringify(json)), contentType: "application/json" };
  const { payload, rows } = await otlp.exportTraces(body, call);
  return { answer: JSON.parse(Buffer.from(payload).toString()), rows };
};
const send = async (...spans: JsonObject[]) => (await post({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).answer;
const stored = async () => {
  const { data } = await traces.listTraces({ referenceId: traceId }, call);
  return (await traces.getTrace({ id: data[0]?.id ?? "" }, call)).data;
};

test("a child may come before its parent, whose start is then the trace's; spans that come again change nothing", async () => {
  const child = span(2, { parentSpanId: "0000000000000001" });
  expect(await send(child)).toEqual({});
  expect((await stored())?.steps.map(({ name }) => name)).toEqual(["span 2"]);
  expect(await send(span(1), child)).toEqual({});
  await send(span(1), child);
  const trace = await stored();
  expect(trace).toMatchObject({ traceId: "4bf92f35-77b3-4da6-a3ce-929d0e0e4736", referenceId: traceId });
  const [parent, ...children] = trace?.steps ?? [];
  expect([parent?.name, children]).toEqual([
    "span 1",
    [expect.objectContaining({ name: "span 2", parentId: parent?.id })],
  ]);
  expect(trace?.timestamp).toEqual(parent?.timestamp);
});

test("spans that cannot be stored are counted, with the reasons; the others are stored", async () => {
  const answer = await send(
    span(3),
    { ...span(4), spanId: "x" },
    { ...span(5), spanId: "y" },
    { ...span(6), traceId: 1 },
  );
  expect(answer).toMatchObject({
    partialSuccess: {
      rejectedSpans: 3,
      errorMessage: expect.stringMatching(/^spanId must be [^;]+; traceId must be [^;]+$/),
    },
  });
  expect((await stored())?.steps.map(({ name }) => name)).toEqual(["span 1", "span 2", "span 3"]);
});

test("a request without spans is no error; a malformed one gets a warning", async () => {
  expect(await post({})).toEqual({ answer: {}, rows: 0n });
  expect((await post({ resourceSpans: 1 })).answer).toEqual({
    partialSuccess: { rejectedSpans: 0, errorMessage: "resourceSpans must be an array" },
  });
});

test("rows are the spans of the request, and have a limit", async () => {
  const spans = (count: number) => ({ resourceSpans: [{ scopeSpans: [{ spans: Array(count).fill({}) }] }] });
  expect((await post(spans(3))).rows).toBe(3n);
  await expect(post(spans(ingestRowsMax + 1))).rejects.toThrow(`at most ${ingestRowsMax}`);
});
