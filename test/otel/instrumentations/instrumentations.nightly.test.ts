// Vendors' SDKs with their instrumentations: the trace has everything that a user expects.

import { createOpenAI } from "@ai-sdk/openai";
import { OpenTelemetry } from "@ai-sdk/otel";
import Anthropic from "@anthropic-ai/sdk";
import { AnthropicInstrumentation as ArizeAnthropic } from "@arizeai/openinference-instrumentation-anthropic";
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import { OpenAIInstrumentation as ArizeOpenAI } from "@arizeai/openinference-instrumentation-openai";
import * as CallbackManagerModule from "@langchain/core/callbacks/manager";
import { RunnableLambda } from "@langchain/core/runnables";
import { ChatOpenAI } from "@langchain/openai";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OpenAIInstrumentation as TraceloopOpenAI } from "@traceloop/instrumentation-openai";
import { generateText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startAttacked } from "../../harness/attacked-product.ts";
import type { Shape } from "../../harness/product.ts";
import { createExporter, type Transport, tracerTo, Watched } from "../harness/exporters.ts";
import { claude, failing, failure, model, reply, startModelServer, tokens, toolCall } from "../harness/model-server.ts";

const shapes = { one: await startedIn("one"), mesh: await startedIn("mesh") };
async function startedIn(shape: Shape) {
  const product = await startAttacked(shape);
  return { product, tenant: await product.tenant() };
}
const models = await startModelServer();
afterAll(() => models.close());
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
afterAll(() => context.disable());

const question = "What does a transfer abroad cost? ☕";

/** Runs `work` in a root span and returns the trace stored from its spans. */
async function traced(
  transport: Transport,
  work: (provider: ReturnType<typeof tracerTo>["provider"]) => Promise<unknown>,
  shape: Shape = "one",
  batch?: number,
) {
  const { product, tenant } = shapes[shape];
  const destination = { ...product.facts, apiKey: tenant.apiKey, applicationId: tenant.applicationId };
  const exporter = new Watched(createExporter(transport, "gzip", destination));
  const { provider, tracer } = tracerTo(exporter, batch);
  trace.disable();
  trace.setGlobalTracerProvider(provider);
  const root = tracer.startSpan("conversation");
  await context.with(trace.setSpan(context.active(), root), () => work(provider));
  root.end();
  await provider.forceFlush();
  expect(exporter.outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
  if (batch === undefined) expect(exporter.outcomes).toHaveLength(1);
  await provider.shutdown();
  const { data } = (await tenant.api.get(`/v0/traces?referenceId=${root.spanContext().traceId}`)).body;
  const stored = (await tenant.api.get(`/v0/traces/${data[0].id}`)).body.data;
  return { ...stored, llm: stored.steps.filter(({ type }: { type: string }) => type === "llm") };
}

/** Created within the test, since it takes the tracer that is current at that time. */
const telemetry = () => ({ isEnabled: true, integrations: [new OpenTelemetry()] }) as never;

/** Calls the model server at `baseURL` through an SDK. */
type Call = (baseURL: string) => Promise<unknown>;
const chat: Call = (baseURL) =>
  new OpenAI({ apiKey: "none", baseURL: `${baseURL}/v1`, maxRetries: 0 }).chat.completions.create({
    model,
    messages: [{ role: "user", content: question }],
  });
const message: Call = (baseURL) =>
  new Anthropic({ apiKey: "none", baseURL, maxRetries: 0 }).messages.create({
    model: claude,
    max_tokens: 100,
    messages: [{ role: "user", content: question }],
  });
const chain: Call = (baseURL) =>
  new ChatOpenAI({ model, apiKey: "none", maxRetries: 0, configuration: { baseURL: `${baseURL}/v1` } }).invoke(
    question,
  );

interface Instrumentation {
  setTracerProvider(provider: never): void;
  disable(): void;
}

/** Instruments the SDK during `call` only. */
const instrumented =
  <T extends Instrumentation>(make: () => T, patch: (instrumentation: T) => void, call: Call) =>
  (baseURL: string) =>
  async (provider: unknown) => {
    const instrumentation = make();
    instrumentation.setTracerProvider(provider as never);
    patch(instrumentation);
    try {
      await call(baseURL);
    } finally {
      instrumentation.disable();
    }
  };

const instrumentations: [string, string, ReturnType<typeof instrumented>][] = [
  [
    "OpenInference, OpenAI's SDK",
    model,
    instrumented(
      () => new ArizeOpenAI(),
      (each) => each.manuallyInstrument(OpenAI as never),
      chat,
    ),
  ],
  [
    "OpenInference, Anthropic's SDK",
    claude,
    instrumented(
      () => new ArizeAnthropic(),
      (each) => each.manuallyInstrument(Anthropic as never),
      message,
    ),
  ],
  [
    "OpenInference, LangChain",
    model,
    instrumented(
      () => new LangChainInstrumentation(),
      (each) => each.manuallyInstrument(CallbackManagerModule as never),
      chain,
    ),
  ],
  [
    "OpenLLMetry, OpenAI's SDK",
    model,
    instrumented(
      () => new TraceloopOpenAI(),
      (each) => each.manuallyInstrument(OpenAI),
      chat,
    ),
  ],
];

describe.each<[Transport, Shape]>([
  ["http/json", "one"],
  ["http/protobuf", "one"],
  ["grpc", "one"],
  ["http/json", "mesh"],
  ["http/protobuf", "mesh"],
  ["grpc", "mesh"],
])("a chat over %s (%s) has model, messages, tokens once and its end:", (transport, shape) => {
  test.each(instrumentations)("%s", async (_, modelId, callAt) => {
    const stored = await traced(transport, callAt(models.url), shape);
    // A vendor's SDK also creates its own span, which repeats the tokens.
    const step = stored.llm.find(({ output }: { output?: string }) => output !== undefined);
    expect(step).toMatchObject({ modelId, finishReason: expect.stringMatching(/stop|end_turn/) });
    expect(step.input).toContain(question);
    expect(step.output).toContain(reply);
    expect(stored.tokens).toMatchObject(tokens);
    expect(stored.hasError).toBe(false);
  });
});

/** Makes calls that several nested spans record: of the application, LangChain, and two OpenAI instrumentations. */
const recordedOften = (baseURL: string) => async (provider: Parameters<Parameters<typeof traced>[1]>[0]) => {
  const instrumentations = [new LangChainInstrumentation(), new ArizeOpenAI(), new TraceloopOpenAI()] as const;
  const [langChain, arize, traceloop] = instrumentations;
  for (const each of instrumentations) each.setTracerProvider(provider as never);
  langChain.manuallyInstrument(CallbackManagerModule as never);
  arize.manuallyInstrument(OpenAI as never);
  traceloop.manuallyInstrument(OpenAI);
  try {
    await provider.getTracer("application").startActiveSpan("ask", async (span) => {
      span.setAttributes({ "gen_ai.operation.name": "chat", "gen_ai.request.model": model });
      await chat(baseURL);
      span.setAttributes({ "gen_ai.usage.input_tokens": tokens.input, "gen_ai.usage.output_tokens": tokens.output });
      span.end();
    });
    await RunnableLambda.from(() => chat(baseURL)).invoke(question);
    await chain(baseURL);
  } finally {
    for (const each of instrumentations.toReversed()) each.disable();
  }
};

test.each<Transport>(["http/json", "http/protobuf", "grpc"])(
  "over %s, a call that several instrumentations record counts once, in one export and in one for each span",
  async (transport) => {
    const together = await traced(transport, recordedOften(models.url));
    const apart = await traced(transport, recordedOften(models.url), "one", 1);
    expect(together.llm.length).toBeGreaterThan(3);
    expect(together.tokens).toMatchObject({ input: 3 * tokens.input, output: 3 * tokens.output });
    expect([apart.tokens, apart.totalCost]).toEqual([together.tokens, together.totalCost]);
  },
);

// OpenAI's SDK is left out: its instrumentations never end the span of a failed call, so they export nothing.
const failures: [string, (baseURL: string) => (provider: unknown) => Promise<unknown>][] = [
  ...instrumentations
    .filter(([name]) => !name.endsWith("OpenAI's SDK"))
    .map(([name, , callAt]): [string, typeof callAt] => [name, callAt]),
  [
    "the AI SDK",
    (baseURL) => () =>
      generateText({
        model: createOpenAI({ apiKey: "none", baseURL: `${baseURL}/v1` }).chat(model),
        prompt: question,
        maxRetries: 0,
        telemetry: telemetry(),
      }),
  ],
];

test.each(failures)(
  "a call that the model server fails is an error, with its text and the question: %s",
  async (_, callAt) => {
    const stored = await traced("http/protobuf", async (provider) => {
      await expect(callAt(`${models.url}${failing}`)(provider)).rejects.toThrow(failure);
    });
    expect(stored.hasError).toBe(true);
    const error = expect.stringContaining(failure);
    const input = expect.stringContaining(question);
    expect(stored.llm).toContainEqual(expect.objectContaining({ status: "error", error, input }));
  },
);

test("the AI SDK's tool call is a step with name, arguments and result, and tokens count once", async () => {
  const provider = createOpenAI({ apiKey: "none", baseURL: `${models.url}/v1` });
  const stored = await traced("http/json", () =>
    generateText({
      model: provider.chat(model),
      prompt: question,
      tools: {
        [toolCall.name]: tool({
          description: "The fee of a country",
          inputSchema: z.object({ country: z.string() }),
          execute: async ({ country }) => ({ fee: `5 € to ${country}` }),
        }),
      },
      stopWhen: ({ steps }) => steps.length === 2,
      telemetry: telemetry(),
    }),
  );
  const tools = stored.steps.filter(({ type }: { type: string }) => type === "tool");
  expect(tools).toHaveLength(1);
  expect(tools[0].name).toContain(toolCall.name);
  expect(tools[0].output ?? tools[0].toolOutput).toContain("5 € to FR");
  expect(stored.llm).toHaveLength(2);
  expect(stored.tokens).toMatchObject({ input: 2 * tokens.input, output: 2 * tokens.output });
});
