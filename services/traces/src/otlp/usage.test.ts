import type { JsonObject } from "@bufbuild/protobuf";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { testCall, testTenant } from "@ems/test-support";
import { otlpSpan, request, traceId } from "@ems/test-support/otlp";
import { expect, test } from "vitest";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();
const otlp = harness.client(OtlpService);
const ingest = harness.client(IngestService);
const traces = harness.client(TraceService);

type Attributes = Readonly<Record<string, unknown>>;
type Caller = ReturnType<typeof testCall>;

const post = async (spans: readonly JsonObject[], caller: Caller) => {
  const body = { payload: Buffer.from(JSON.stringify(request(spans))), contentType: "application/json" };
  const { payload } = await otlp.exportTraces(body, caller);
  return JSON.parse(Buffer.from(payload).toString());
};

/** Returns the trace of the application's spans. */
async function readTrace(caller: Caller) {
  const { data } = await traces.listTraces({ referenceId: traceId }, caller);
  const trace = (await traces.getTrace({ id: data[0]?.id ?? "" }, caller)).data;
  if (trace === undefined) throw new Error("no trace");
  return trace;
}

async function storeSpans(...spans: JsonObject[]) {
  const caller = testCall(testTenant());
  const answer = await post(spans, caller);
  return { ...(await readTrace(caller)), answer, caller };
}

const model = { "gen_ai.operation.name": "chat", "gen_ai.response.model": "claude-sonnet-4-5" };
const input = { "gen_ai.usage.input_tokens": 17_903, "gen_ai.usage.output_tokens": 100 };
const apart = { "gen_ai.usage.input_tokens": 86, "gen_ai.usage.output_tokens": 100 };
const read = 17_817;
const written = 17_000;

const cacheReads: [string, Attributes][] = [
  ["OpenTelemetry", { ...input, "gen_ai.usage.cache_read.input_tokens": read }],
  ["OpenLLMetry", { ...input, "gen_ai.usage.cache_read_input_tokens": read }],
  ["Pydantic AI, earlier", { ...input, "gen_ai.usage.details.cache_read_tokens": read }],
  ["Pydantic AI, the provider's name", { ...input, "gen_ai.usage.details.cache_read_input_tokens": read }],
  ["cached input", { ...input, "gen_ai.usage.input_cached_tokens": read }],
  ["Sentry", { ...input, "gen_ai.usage.input_tokens.cached": read }],
  ["flattened OpenAI", { ...input, "gen_ai.usage.prompt_tokens_details.cached_tokens": read }],
  ["input without the cache", { ...apart, "gen_ai.usage.cache_read_input_tokens": read }],
  [
    "earlier names",
    { "gen_ai.usage.prompt_tokens": 17_903, "gen_ai.usage.completion_tokens": 100, "gen_ai.usage.cached_tokens": read },
  ],
  [
    "OpenInference",
    {
      "openinference.span.kind": "LLM",
      "llm.token_count.prompt": 17_903,
      "llm.token_count.completion": 100,
      "llm.token_count.prompt_details.cache_read": read,
    },
  ],
  [
    "AI SDK 4",
    { "ai.usage.promptTokens": 17_903, "ai.usage.completionTokens": 100, "ai.usage.cachedInputTokens": read },
  ],
  [
    "AI SDK 7",
    {
      "ai.usage.inputTokens": 17_903,
      "ai.usage.outputTokens": 100,
      "ai.usage.inputTokenDetails.cacheReadTokens": read,
    },
  ],
  ["LangSmith", { ...input, "gen_ai.usage.input_token_details.cache_read": read }],
  [
    "Langfuse, whose kinds do not overlap",
    { "langfuse.observation.usage_details": JSON.stringify({ input: 86, output: 100, input_cached_tokens: read }) },
  ],
  [
    "Langfuse with a total",
    {
      "langfuse.observation.usage_details": JSON.stringify({
        input: 86,
        output: 100,
        cache_read_input_tokens: read,
        total: 18_003,
      }),
    },
  ],
  [
    "MLflow",
    {
      "mlflow.chat.tokenUsage": JSON.stringify({ input_tokens: 86, output_tokens: 100, cache_read_input_tokens: read }),
    },
  ],
  [
    "OpenAI's object",
    {
      "gen_ai.usage": JSON.stringify({
        prompt_tokens: 17_903,
        completion_tokens: 100,
        total_tokens: 18_003,
        prompt_tokens_details: { cached_tokens: read, audio_tokens: 0 },
      }),
    },
  ],
  [
    "Google's object",
    {
      "gen_ai.usage": JSON.stringify({
        promptTokenCount: 17_903,
        candidatesTokenCount: 60,
        thoughtsTokenCount: 40,
        cachedContentTokenCount: read,
        totalTokenCount: 18_003,
      }),
    },
  ],
];

test.each(cacheReads)("tokens read from the cache, as %s names them", async (_name, attributes) => {
  const { totalCost, tokens, unpricedSteps, steps } = await storeSpans(otlpSpan({ ...model, ...attributes }));
  expect(tokens).toMatchObject({ input: 17_903n, output: 100n, cachedInput: 17_817n });
  expect(steps[0]?.usage).toMatchObject({ promptTokens: 17_903n, cachedTokens: 17_817n });
  expect([totalCost, steps[0]?.costAmount, unpricedSteps]).toEqual([0.0071031, 0.0071031, 0n]);
});

const cacheWrites: [string, Attributes][] = [
  ["OpenTelemetry", { ...input, "gen_ai.usage.cache_creation.input_tokens": written }],
  ["OpenLLMetry", { ...input, "gen_ai.usage.cache_creation_input_tokens": written }],
  ["Strands", { ...input, "gen_ai.usage.cache_write_input_tokens": written }],
  ["Pydantic AI, earlier", { ...input, "gen_ai.usage.details.cache_write_tokens": written }],
  [
    "OpenInference",
    {
      "openinference.span.kind": "LLM",
      "llm.token_count.prompt": 17_903,
      "llm.token_count.completion": 100,
      "llm.token_count.prompt_details.cache_write": written,
    },
  ],
  [
    "AI SDK 7",
    {
      "ai.usage.inputTokens": 17_903,
      "ai.usage.outputTokens": 100,
      "ai.usage.inputTokenDetails.cacheWriteTokens": written,
    },
  ],
  [
    "Anthropic's object",
    {
      usage: JSON.stringify({
        input_tokens: 903,
        output_tokens: 100,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      }),
    },
  ],
];

test.each(cacheWrites)("tokens written to the cache, as %s names them", async (_name, attributes) => {
  const { totalCost, tokens } = await storeSpans(otlpSpan({ ...model, ...attributes }));
  expect(tokens).toMatchObject({ input: 17_903n, output: 100n, cacheWrite: 17_000n });
  expect(totalCost).toBe(0.067959);
});

test.each<[string, Attributes]>([
  ["OpenTelemetry", { "gen_ai.usage.reasoning.output_tokens": 64 }],
  ["OpenLLMetry", { "gen_ai.usage.reasoning_tokens": 64 }],
  ["earlier OpenLLMetry", { "llm.usage.reasoning_tokens": 64 }],
  ["OpenInference", { "llm.token_count.completion_details.reasoning": 64 }],
  ["Pydantic AI", { "gen_ai.usage.details.reasoning_tokens": 64 }],
  ["AI SDK", { "ai.usage.reasoningTokens": 64 }],
  ["Anthropic", { "gen_ai.usage.output_tokens_details.thinking_tokens": 64 }],
])("reasoning tokens, as %s names them, are part of the output", async (_name, attributes) => {
  const { tokens, steps } = await storeSpans(otlpSpan({ ...model, ...input, ...attributes }));
  expect(tokens).toMatchObject({ output: 100n, reasoning: 64n });
  expect(steps[0]?.usage?.reasoningTokens).toBe(64n);
});

test("a trace without a known cost has none, and says how many model calls lack one", async () => {
  const unknown = { "gen_ai.operation.name": "chat", "gen_ai.response.model": "house-model" };
  const { totalCost, unpricedSteps } = await storeSpans(
    otlpSpan({ ...unknown, ...input }),
    otlpSpan(unknown),
    otlpSpan({ "gen_ai.operation.name": "execute_tool" }),
  );
  expect([totalCost, unpricedSteps]).toEqual([undefined, 2n]);
  const partly = await storeSpans(otlpSpan({ ...unknown, ...input }), otlpSpan({ ...model, ...input }));
  expect([partly.totalCost, partly.unpricedSteps]).toEqual([0.055209, 1n]);
  const { data } = await traces.listTraces({ maxCost: 1 }, partly.caller);
  expect(data).toHaveLength(1);
});

test("a span with a model and usage is a model call without an operation, and counts once", async () => {
  const duplicate = { "gen_ai.response.id": "r-1", "gen_ai.request.model": "claude-sonnet-4-5", ...input };
  const { steps, totalCost } = await storeSpans(otlpSpan(duplicate), otlpSpan({ ...model, ...duplicate }));
  expect(steps.map(({ type }) => type)).toEqual(["llm", "llm"]);
  expect(totalCost).toBe(0.055209);
});

test("an agent's usage counts if no step below it has any", async () => {
  const agent = (attributes: Attributes) =>
    otlpSpan({ "gen_ai.operation.name": "invoke_agent", "gen_ai.request.model": "claude-sonnet-4-5", ...attributes });
  const alone = agent({ ...input, "gen_ai.usage.cache_read_input_tokens": read });
  const tool = otlpSpan({ "gen_ai.operation.name": "execute_tool" }, { parentSpanId: alone.spanId ?? "" });
  expect(await storeSpans(alone, tool)).toMatchObject({ totalCost: 0.0071031, totalPromptTokens: 17_903n });
  const outer = agent(input);
  const step = otlpSpan({}, { parentSpanId: outer.spanId ?? "" });
  const inner = otlpSpan({ ...model, ...apart }, { parentSpanId: step.spanId ?? "" });
  expect(await storeSpans(outer, step, inner)).toMatchObject({ totalCost: 0.001758, totalPromptTokens: 86n });
});

test.each([9_999_999_999, -5, 12.7])("%d tokens are refused with a word", async (count) => {
  const { tokens, answer, steps } = await storeSpans(
    otlpSpan({ ...model, ...input, "gen_ai.usage.input_tokens": count }),
  );
  expect(tokens?.input).toBe(0n);
  expect(answer.partialSuccess.errorMessage).toContain(
    "gen_ai.usage.input_tokens is not a whole number from 0 to 2147483647",
  );
  expect(JSON.stringify(steps[0]?.metadata)).toContain("gen_ai.usage.input_tokens");
});

test("of two spans of one call, the one with the messages has tokens and cost", async () => {
  const messages = JSON.stringify([{ role: "user", parts: [{ type: "text", content: "Hi" }] }]);
  const outer = otlpSpan({ ...model, "gen_ai.input.messages": messages, "gen_ai.output.messages": messages });
  const sdk = otlpSpan({ ...model, ...input }, { parentSpanId: outer.spanId ?? "" });
  const { steps, totalCost } = await storeSpans(outer, sdk);
  const withCost = steps.filter(({ costAmount }) => costAmount !== undefined);
  expect(withCost.map(({ usage, input }) => [usage?.promptTokens, input])).toEqual([[17_903n, "Hi"]]);
  expect(totalCost).toBe(0.055209);
});

test.each<[string, JsonObject]>([
  ["this API's names", { usage: { promptTokens: 17_903, completionTokens: 100, cachedTokens: read } }],
  ["tokens", { tokens: { input: 17_903, output: 100, cachedInput: read } }],
  ["an input without the cache", { usage: { promptTokens: 86, completionTokens: 100, cachedTokens: read } }],
  ["Anthropic", { usage: { rawInputTokens: 86, rawOutputTokens: 100, rawCacheReadInputTokens: read } }],
  [
    "OpenAI",
    { usage: { rawPromptTokens: 17_903, rawCompletionTokens: 100, rawPromptTokensDetails: { cachedTokens: read } } },
  ],
  ["the AI SDK", { usage: { aiInputTokens: 17_903, aiOutputTokens: 100, aiCachedInputTokens: read } }],
])("events state cached tokens as %s", async (_name, usage) => {
  const caller = testCall(testTenant());
  const toBig = (value: unknown): unknown =>
    typeof value === "number"
      ? BigInt(value)
      : Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, toBig(each)]));
  const event = { type: "llm", event: "end", modelId: "claude-sonnet-4-5", ...(toBig(usage) as object) };
  const { data } = await ingest.ingestEvents({ events: [event] }, caller);
  const trace = (await traces.getTrace({ id: data[0]?.id ?? "" }, caller)).data;
  expect(trace?.tokens).toMatchObject({ input: 17_903n, cachedInput: 17_817n });
  expect([trace?.totalCost, trace?.unpricedSteps]).toEqual([0.0071031, 0n]);
});

test("any spelling, order and batching of a trace's spans gives the same tokens and cost", async () => {
  let state = 11;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
  const pick = (list: [string, Attributes][]) => list[random(list.length)]?.[1] ?? {};
  for (let round = 0; round < 12; round++) {
    const caller = testCall(testTenant());
    const agent = otlpSpan({ "gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 99_999 });
    const group = otlpSpan({}, { parentSpanId: agent.spanId ?? "" });
    const sdk = { "gen_ai.operation.name": "chat", "gen_ai.response.id": `r-${round}` };
    const text = JSON.stringify([{ role: "user", parts: [{ type: "text", content: "Hi" }] }]);
    const spans = [
      agent,
      group,
      otlpSpan({ ...model, ...pick(cacheReads) }, { parentSpanId: group.spanId ?? "" }),
      otlpSpan({ ...model, ...pick(cacheWrites), ...sdk }, { parentSpanId: group.spanId ?? "" }),
      otlpSpan({ ...sdk, "gen_ai.input.messages": text }, { parentSpanId: agent.spanId ?? "" }),
    ];
    const order = spans.map((span) => [random(2 ** 20), span] as const).toSorted(([a], [b]) => a - b);
    for (let at = 0; at < order.length; ) {
      const batch = order.slice(at, at + 1 + random(3)).map(([, span]) => span);
      await post(batch, caller);
      at += batch.length;
    }
    const { tokens, totalCost, unpricedSteps } = await readTrace(caller);
    expect({ round, totalCost, unpricedSteps }).toEqual({ round, totalCost: 0.0750621, unpricedSteps: 0n });
    expect(tokens).toMatchObject({ input: 35_806n, output: 200n, cachedInput: 17_817n, cacheWrite: 17_000n });
  }
}, 60_000);
