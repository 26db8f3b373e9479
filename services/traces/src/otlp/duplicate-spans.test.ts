import { type JsonObject, toBinary } from "@bufbuild/protobuf";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { otlpSpan, request, traceId } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";
import { decode } from "./wire/decode.ts";

const harness = await tracesHarness();
const otlp = harness.client(OtlpService);
const traces = harness.client(TraceService);

/** Random number generator mulberry32: returns the same numbers in each run. */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
type Random = ReturnType<typeof randomFrom>;

interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Creates the spans of one trace: calls that contain other calls, and calls recorded by several spans. */
function randomSpans(random: Random, count: number): JsonObject[] {
  const spans: JsonObject[] = [];
  const tokens = (): Tokens => ({ input: 1 + random(40), output: random(9) });
  const add = (parent: JsonObject | undefined, { input, output }: Tokens, more: Record<string, unknown> = {}) => {
    const usage = { "gen_ai.usage.input_tokens": input, "gen_ai.usage.output_tokens": output };
    const model = { "gen_ai.request.model": ["gpt-4o", "gpt-4o-mini", "unknown"][random(3)] };
    const cost = random(4) === 0 ? { "gen_ai.usage.cost": (1 + random(99)) / 1e6 } : {};
    const attributes = { "gen_ai.operation.name": "chat", ...usage, ...model, ...cost, ...more };
    const span = otlpSpan(attributes, { parentSpanId: parent?.spanId ?? "", name: `call ${spans.length}` });
    spans.push(span);
    return span;
  };
  const families = [
    (parent?: JsonObject) => add(parent, tokens()),
    // Adds a call with inner calls and the exact or nearly exact sum of their tokens. Inner calls may be equal.
    (parent?: JsonObject) => {
      const within = Array.from({ length: 1 + random(4) }, tokens);
      const input = within.reduce((sum, each) => sum + each.input, 0);
      const output = within.reduce((sum, each) => sum + each.output, 0) + (random(4) === 0 ? 1 : 0);
      const outer = add(parent, { input, output }, random(3) === 0 ? { "gen_ai.response.id": `r${random(6)}` } : {});
      for (const each of within) add(outer, each, random(3) === 0 ? { "gen_ai.response.id": `r${random(6)}` } : {});
    },
    // Three nested spans that record one call.
    (parent?: JsonObject) => {
      const same = tokens();
      add(add(add(parent, same), same, { "gen_ai.response.id": `n${spans.length}` }), same);
    },
    // A span of an SDK within another kind of span, and a sibling that only has the cost.
    (parent?: JsonObject) => {
      const [same, id] = [tokens(), { "gen_ai.response.id": `s${spans.length}` }];
      const http = otlpSpan({}, { parentSpanId: add(parent, same, id).spanId ?? "", name: `http ${spans.length}` });
      spans.push(http);
      add(http, random(2) === 0 ? same : tokens(), id);
      const cost = otlpSpan(
        { "gen_ai.operation.name": "chat", ...id, "gen_ai.usage.cost": 0.000_321 },
        { parentSpanId: parent?.spanId ?? "", name: `call ${spans.length}` },
      );
      spans.push(cost);
    },
  ];
  while (spans.length < count)
    families[random(families.length)]?.(random(3) === 0 ? spans[random(spans.length)] : undefined);
  return spans;
}

/** Stores the spans in a new application, from JSON and from protobuf, and returns the amounts that were counted. */
async function store(spans: readonly JsonObject[], writers: readonly (readonly (readonly JsonObject[])[])[]) {
  const caller = testCall(testTenant());
  await Promise.all(
    writers.map(async (batches, writer) => {
      for (const batch of batches) {
        const json = Buffer.from(JSON.stringify(request(batch)));
        const { message } = decode(ExportTraceServiceRequestSchema, json, "application/json");
        const binary = toBinary(ExportTraceServiceRequestSchema, message);
        const body =
          writer % 2 === 0
            ? { payload: json, contentType: "application/json" }
            : { payload: binary, contentType: "application/x-protobuf" };
        await otlp.exportTraces(body, caller);
      }
    }),
  );
  const { data } = await traces.listTraces({ referenceId: traceId }, caller);
  const trace = (await traces.getTrace({ id: data[0]?.id ?? "" }, caller)).data;
  expect(trace?.steps).toHaveLength(spans.length);
  const counted = trace?.steps.flatMap(({ name, usage, costAmount }) =>
    usage === undefined && costAmount === undefined
      ? []
      : `${name}: ${usage?.promptTokens} + ${usage?.completionTokens} for ${costAmount}`,
  );
  const { totalCost, totalPromptTokens, totalCompletionTokens, stepCount } = trace ?? {};
  const addUp = (name: "promptTokens" | "completionTokens") =>
    trace?.steps.reduce((sum, { usage }) => sum + (usage?.[name] ?? 0n), 0n);
  expect([totalPromptTokens, totalCompletionTokens]).toEqual([addUp("promptTokens"), addUp("completionTokens")]);
  return { totalCost, totalPromptTokens, totalCompletionTokens, stepCount, counted: counted?.toSorted() };
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const keys = new Map(list.map((each) => [each, random(2 ** 30)]));
  return list.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

/** Splits the spans into small requests, and sends some requests twice. */
function split(random: Random, spans: readonly JsonObject[]): JsonObject[][] {
  const batches: JsonObject[][] = [];
  for (let at = 0; at < spans.length; ) {
    const batch = spans.slice(at, at + 1 + random(6));
    at += batch.length;
    batches.push(random(4) === 0 ? [...batch, ...spans.slice(0, random(3))] : batch);
  }
  return batches;
}

test("the same spans count the same in any order, in any requests and with eight concurrent writers", async () => {
  for (const seed of [1, 3]) {
    const random = randomFrom(seed);
    const spans = randomSpans(random, 24);
    const expected = await store(spans, [[spans]]);
    const arrivals = {
      "one by one, forwards": [spans.map((span) => [span])],
      "one by one, backwards": [spans.toReversed().map((span) => [span])],
      "shuffled, in some requests": [split(random, shuffled(random, spans))],
      "by eight writers": Array.from({ length: 8 }, (_, writer) =>
        split(
          random,
          shuffled(
            random,
            spans.filter((_span, index) => index % 8 === writer),
          ),
        ),
      ),
    };
    for (const [arrival, writers] of Object.entries(arrivals))
      expect([seed, arrival, await store(spans, writers)]).toEqual([seed, arrival, expected]);
  }
}, 60_000);
