import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { jsonTextLimits, tryReadStructure } from "@ems/kit/readers";
import { keyValues, otlpSpan, request, spanEvent, traceId } from "@ems/test-support/otlp";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBoth, readSteps } from "../../test/read-otlp.ts";
import { stepContent } from "../traces/step-row.ts";
import { storableTraceData } from "../traces/trace-update.ts";
import { attributeNames } from "./conventions/read-conventions.ts";
import { traceUpdates } from "./trace-updates.ts";

const good = () => otlpSpan({ "gen_ai.operation.name": "chat" });
const only = (json: JsonObject) => readBoth(json)[0];

test("a step has the microseconds of its span", () => {
  const span = { ...good(), startTimeUnixNano: "1772443800000100000", endTimeUnixNano: "1772443800000850400" };
  const [update] = [...traceUpdates(readSteps(span), () => undefined)];
  const [step] = update !== undefined && "steps" in update ? update.steps : [];
  expect(step).toMatchObject({ durationMs: 1n, durationUs: 750n, timestamp: { nanos: 100_000 } });
});

test("a span has its times; a span without an end is pending", () => {
  const [closed] = readSteps(good());
  expect(closed).toMatchObject({
    span: { startMs: 1772443800000, endMs: 1772443800840, durationNs: expect.any(BigInt) },
  });
  for (const endTimeUnixNano of ["0", 0, null]) {
    const [open] = readSteps({ ...good(), endTimeUnixNano });
    expect(open).toMatchObject({ span: { endMs: undefined }, fields: { status: "pending", event: "start" } });
  }
});

test.each([
  ["1795600000", "seconds"],
  ["1795600000000", "milliseconds"],
  ["1795600000000000", "microseconds"],
])("a start of %s is rejected as %s", (startTimeUnixNano, unit) => {
  const span = { ...good(), startTimeUnixNano, endTimeUnixNano: startTimeUnixNano };
  const error = `startTimeUnixNano must be nanoseconds since 1970: ${startTimeUnixNano} looks like ${unit}`;
  expect(only(request([span]))).toEqual({ error });
});

test("attributes that are in no field become metadata", () => {
  const span = otlpSpan(
    { list: [1, 1.5, false], map: { a: { b: [null] } }, text: "a\0b", infinite: Number.POSITIVE_INFINITY },
    {
      kind: "SPAN_KIND_CLIENT",
      status: { code: 1, message: "fine" },
      traceState: "a=b",
      unknown: { field: 1 },
      events: [spanEvent("cache", { hit: true })],
      links: [{ traceId, spanId: "00f067aa0ba902b7", attributes: keyValues({ why: "retry" }) }],
    },
  );
  const attributes = [
    ...(span.attributes as JsonValue[]),
    { key: "big", value: { intValue: "9223372036854775807" } },
    { key: "bytes", value: { bytesValue: "AA==" } },
    { key: "nothing", value: {} },
    { key: "__proto__", value: { boolValue: true } },
    { key: "bad", value: { intValue: "many" } },
    { key: "list2", value: { arrayValue: 7 } },
    { no: "key" },
    null,
    7,
  ];
  const [step] = readSteps({ ...span, attributes });
  expect(Object.entries(step?.fields.metadata ?? {})).toEqual(
    Object.entries({
      list: [1, 1.5, false],
      map: { a: { b: [null] } },
      text: "a\0b",
      infinite: "Infinity",
      big: "9223372036854775807",
      bytes: "AA==",
      nothing: null,
      ["__proto__"]: true,
      bad: null,
      list2: null,
      "otel.span_id": span.spanId,
      "otel.span_kind": "CLIENT",
      "otel.status_code": "OK",
      "otel.status_description": "fine",
      "otel.scope.name": "test.scope",
      "otel.scope.version": "1",
      "otel.trace_state": "a=b",
      "otel.events": [{ name: "cache", timeUnixNano: "1772443800000000001", attributes: { hit: true } }],
      "otel.links": [{ traceId, spanId: "00f067aa0ba902b7", attributes: { why: "retry" } }],
    }),
  );
});

describe("ids", () => {
  test("a span names its parent by the parent's id, in upper or lower case", () => {
    const parent = { ...good(), spanId: "00f067aa0ba902b7" };
    const [first, child] = readSteps(parent, {
      ...good(),
      traceId: traceId.toUpperCase(),
      parentSpanId: "00F067AA0BA902B7",
    });
    expect(child?.parentId).toBe(first?.id);
    expect(child?.trace).toBe(first?.trace);
    for (const parentSpanId of ["", "0000000000000000", "zz"])
      expect(readSteps({ ...good(), parentSpanId })[0]?.parentId).toBeUndefined();
  });

  test("the same span id in another trace is another step", () => {
    const span = good();
    const [first, other] = readSteps(span, { ...span, traceId: "a".repeat(32) });
    expect(first?.id).not.toBe(other?.id);
  });
});

describe("a trace", () => {
  const id = "0d63e5f0-3c0f-4b7d-9b1e-6f0a5d1f2c11";

  test.each(["avido.test.id", "ems.test.id"])("has the test that %s names, on any span or the resource", (name) => {
    expect(readSteps(good(), otlpSpan({ [name]: id.toUpperCase() }))[0]?.trace.facts.testId).toBe(id);
    const [result] = readBoth(request([good()], { [name]: id }));
    expect(result).toMatchObject({ trace: { facts: { testId: id } } });
    expect(readSteps(otlpSpan({ [name]: "no uuid" }))[0]?.trace.facts.testId).toBeUndefined();
  });

  test("has its resource's attributes, unless they are too large", () => {
    const result = only(request([otlpSpan({ "session.id": "s" })], { "service.name": "bank" }));
    const facts = result && "trace" in result ? result.trace.facts : undefined;
    expect(facts?.metadata(() => true)).toEqual({ "service.name": "bank", "session.id": "s" });
    expect(facts?.metadata((metadata) => !("service.name" in metadata))).toEqual({ "session.id": "s" });
  });
});

test.each<[string, JsonValue, RegExp]>([
  ["no object", 1, /^traceId/],
  ["no trace id", { ...good(), traceId: "" }, /^traceId/],
  ["a zero trace id", { ...good(), traceId: "0".repeat(32) }, /^traceId/],
  ["a short trace id", { ...good(), traceId: "abcd" }, /^traceId/],
  ["a trace id in base64", { ...good(), traceId: "S/kvNXezTaajzpKdDg5HNg==" }, /^traceId/],
  ["no span id", { ...good(), spanId: null }, /^spanId/],
  ["no start", { ...good(), startTimeUnixNano: "0" }, /^startTimeUnixNano/],
  ["a start that is no number", { ...good(), startTimeUnixNano: "now" }, /^startTimeUnixNano/],
  ["a start of more than 64 bits", { ...good(), startTimeUnixNano: String(2n ** 64n) }, /^startTimeUnixNano/],
  ["an end before its start", { ...good(), endTimeUnixNano: "1" }, /end before it starts/],
])("a span with %s is rejected, and the others are not", (_, span, error) => {
  const [bad, fine] = readBoth(request([span, good()]));
  expect(bad).toEqual({ error: expect.stringMatching(error) });
  expect(fine).toMatchObject({ fields: { type: "llm" } });
});

describe("malformed values", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.jsonValue().map((json) => JSON.stringify(json)),
    fc.constantFrom('{"role": 1, "content": [{"type": "text"}]}', '[[["', '{"kwargs": 1, "lc": 1}', '[{"parts": 1}]'),
  );
  const name = fc.oneof(
    fc.constantFrom(...attributeNames()),
    fc
      .tuple(
        fc.constantFrom(
          "llm.input_messages",
          "gen_ai.prompt",
          "retrieval.documents",
          "ai.response",
          "llm.output_messages",
        ),
        fc.array(fc.constantFrom("0", "1", "99999999999", "message", "tool_calls", "role", "content", "__proto__", "")),
      )
      .map(([family, path]) => [family, ...path].join(".")),
  );
  const attribute = fc.record({
    key: name,
    value: fc.oneof(
      value.map((json) => ({ stringValue: json }) as JsonObject),
      value.map((json) => ({ arrayValue: { values: [{ stringValue: json }] } }) as JsonObject),
      fc.jsonValue().map((json) => ({ intValue: json, kvlistValue: json }) as JsonObject),
      fc.integer().map((number) => ({ intValue: String(number) })),
    ),
  });
  const event = fc.record({
    name: fc.constantFrom("gen_ai.choice", "gen_ai.user.message", "exception", "db.query.result", "x"),
    attributes: fc.array(attribute),
  });

  test("in attributes and events never reject the span", () => {
    fc.assert(
      fc.property(fc.array(attribute, { maxLength: 12 }), fc.array(event, { maxLength: 3 }), (attributes, events) => {
        const updates = [
          ...traceUpdates(readSteps(otlpSpan({}, { attributes, events } as JsonObject)), () => undefined),
        ];
        const [update] = updates.map((each) => ("error" in each ? expect.unreachable(each.error) : each));
        const [step] = update?.steps ?? [];
        const { input, output, fields } = stepContent(update?.traceId ?? "", step ?? expect.unreachable());
        const trace = storableTraceData(update?.trace ?? {});
        const texts = [...textsIn([input, output, fields, trace.metadata ?? null])];
        expect(texts.filter((text) => !text.isWellFormed() || text.includes("\0"))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  /** Yields the texts and names in JSON, including those in texts that contain JSON, because judges read them. */
  function* textsIn(json: JsonValue): Generator<string> {
    if (typeof json === "string") {
      yield json;
      const inner = tryReadStructure(json, jsonTextLimits);
      if (inner !== undefined) yield* textsIn(inner);
    } else if (typeof json === "object" && json !== null)
      for (const [name, value] of Object.entries(json)) {
        yield name;
        yield* textsIn(value);
      }
  }

  test("in place of spans, scopes and fields never reject valid spans of the request", () => {
    const mess = fc.jsonValue();
    const span = fc.oneof(
      mess,
      fc.record({ traceId: mess, spanId: mess, attributes: mess, events: mess, status: mess, links: mess }),
      fc
        .record({ attributes: mess, events: mess, status: mess, kind: mess, name: mess })
        .map((more) => ({ ...good(), ...more })),
    );
    fc.assert(
      fc.property(fc.array(span, { maxLength: 5 }), mess, mess, (spans, resource, other) => {
        const list = [...spans, good()] as JsonValue[];
        const scopes = [{ scope: other, spans: list }, other] as JsonValue[];
        const results = readBoth({ resourceSpans: [{ resource, scopeSpans: scopes }, other] as JsonValue[] });
        expect(results[spans.length]).toMatchObject({ fields: { type: "llm" } });
      }),
      { numRuns: 500 },
    );
  });
});
