// Usage in recorded exports of real packages (../../test/recorded/README.md).

import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import {
  type ExportTraceServiceRequest,
  ExportTraceServiceRequestSchema as Schema,
} from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const otlp = harness.client(OtlpService);
const traces = harness.client(TraceService);
const folder = new URL("../../test/recorded/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".bin"));

/** Usage by the first word of a trace's name, and the cost by the providers' list prices. */
const tokens = { input: 17_903, output: 100, cachedInput: 0, cacheWrite: 0, unpriced: 0 };
const read = { ...tokens, cachedInput: 17_817 };
const write = { ...tokens, cacheWrite: 17_000 };
const gpt5Mini = { read: { ...read, cost: (86 * 250 + 17_817 * 25 + 100 * 2_000) / 1e9 } };
const sonnet45 = {
  read: { ...read, cost: (86 * 3_000 + 17_817 * 300 + 100 * 15_000) / 1e9 },
  write: { ...write, cost: (903 * 3_000 + 17_000 * 3_750 + 100 * 15_000) / 1e9 },
  hour: { ...write, cost: (903 * 3_000 + 17_000 * 6_000 + 100 * 15_000) / 1e9 },
};
type Usage = typeof sonnet45.read;
const words: Readonly<Record<string, Usage>> = { ...sonnet45 };

/** Usage of the calls in a trace: two of a `parallel` one. */
function addCalls(usage: Usage | undefined, name: string): Usage | undefined {
  if (usage === undefined || !name.includes("parallel")) return usage;
  const doubled = Object.entries(usage).map(([kind, number]) => [kind, 2 * number]);
  return Object.fromEntries(doubled) as Usage;
}

/** Traces whose spans lack numbers of the provider, or count twice (README.md), by file and name. */
const incomplete = [
  /^ai_openai-5\S+ read$/,
  /^openinference_agents_openai\S+ read$/,
  /^openinference_anthropic-(0\.1|js-0\.1)\S+ \w+ stream/,
  /^openinference_openai-js\S+ read stream/,
  /^openllmetry_anthropic-0\.[45]\S+ \w+ stream/,
  /^openllmetry_openai-0\.4\S+ read (stream|responses)/,
  /^pydantic_ai_anthropic-0\.2\S+ \w+ stream/,
  /^pydantic_ai_openai-1\.0\S+ /,
  /^traceloop_/,
];
/** Files whose spans do not say that a cache keeps the tokens for one hour. */
const withoutHours =
  /^(ai_anthropic-[47]|openllmetry_anthropic-0\.[45]|pydantic_ai_anthropic-[01]\.|openinference_langgraph_anthropic-0\.1\.20)/;

/** Exports the requests one after the other, and returns the usage of each trace with the name of its root. */
async function readUsages(requests: readonly ExportTraceServiceRequest[]) {
  const caller = testCall(testTenant());
  for (const request of requests)
    await otlp.exportTraces({ payload: toBinary(Schema, request), contentType: "application/x-protobuf" }, caller);
  const { data } = await traces.listTraces({ limit: 100 }, caller);
  const usages = data.map(async ({ id }) => {
    const trace = (await traces.getTrace({ id }, caller)).data;
    const name = trace?.steps.find(({ parentId }) => parentId === undefined)?.name ?? "";
    const { input, output, cachedInput, cacheWrite } = trace?.tokens ?? {};
    const counts = { input, output, cachedInput, cacheWrite, unpriced: trace?.unpricedSteps };
    const numbers = Object.entries(counts).map(([kind, count]) => [kind, Number(count)]);
    return { name, usage: { ...Object.fromEntries(numbers), cost: trace?.totalCost } };
  });
  return (await Promise.all(usages)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Splits a request into requests with one span each. */
function splitSpans({ resourceSpans }: ExportTraceServiceRequest): ExportTraceServiceRequest[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => create(Schema, { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] })),
    ),
  );
}

/** Joins requests, each of at most `size` spans, whose order is mixed by `stride`. */
function mix(
  requests: readonly ExportTraceServiceRequest[],
  stride: number,
  size: number,
): ExportTraceServiceRequest[] {
  const mixed = requests.toSorted(
    (a, b) => ((requests.indexOf(a) * stride) % 101) - ((requests.indexOf(b) * stride) % 101),
  );
  return Array.from({ length: Math.ceil(mixed.length / size) }, (_, at) =>
    create(Schema, {
      resourceSpans: mixed.slice(at * size, (at + 1) * size).flatMap(({ resourceSpans }) => resourceSpans),
    }),
  );
}

test.each(files)("%s: tokens and cost are the provider's, in any order and batching", async (file) => {
  const whole = fromBinary(Schema, gunzipSync(readFileSync(new URL(file, folder))));
  const usages = await readUsages([whole]);
  const isAnthropic = file.includes("anthropic");
  expect(usages.length).toBeGreaterThanOrEqual(isAnthropic ? 6 : 2);
  const complete = usages.filter(({ name }) => !incomplete.some((pattern) => pattern.test(`${file} ${name}`)));
  for (const { name, usage } of complete) {
    const [word = ""] = name.split(" ");
    const expected = word === "hour" && withoutHours.test(file) ? sonnet45.write : words[word];
    expect([name, usage]).toEqual([name, addCalls(isAnthropic ? expected : gpt5Mini.read, name)]);
  }
  const single = splitSpans(whole);
  expect(await readUsages(single.toReversed())).toEqual(usages);
  expect(await readUsages(mix(single, 37, 3))).toEqual(usages);
});
