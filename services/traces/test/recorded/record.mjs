// Records what an instrumentation in JavaScript sends for calls whose prompts are cached (README.md).
//
// Usage: node record.mjs FILE INSTRUMENTATION, where the instrumentation is one of the functions below.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The packages are those of the working directory.
const { resolve } = createRequire(join(process.cwd(), "package.json"));
const load = async (name) => {
  const loaded = await import(pathToFileURL(resolve(name)).href);
  return { ...loaded.default, ...loaded };
};

const [file, name] = process.argv.slice(2);
const server = spawn("python3", [join(import.meta.dirname, "server.py"), file], { stdio: ["pipe", "pipe", "inherit"] });
const [line] = await once(server.stdout, "data");
const url = String(line).trim();

const { trace } = await load("@opentelemetry/api");
const { BatchSpanProcessor, NodeTracerProvider } = await load("@opentelemetry/sdk-trace-node");
const { OTLPTraceExporter } = await load("@opentelemetry/exporter-trace-otlp-proto");
const { resourceFromAttributes } = await load("@opentelemetry/resources");
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ "service.name": "teller" }),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
});
provider.register();

const question = "What does a transfer abroad cost? Cache: ";
const asked = (word) => [{ role: "user", content: question + word }];

/** Makes a call in a span of the application. The span's name begins with the word of the usage. */
const ask = (name, call) =>
  trace.getTracer("application").startActiveSpan(name, async (span) => {
    await call();
    span.end();
  });

async function drain(stream) {
  for await (const _ of stream);
}

async function callOpenAI(client) {
  const common = { model: "gpt-5-mini", messages: asked("read") };
  await ask("read", () => client.chat.completions.create(common));
  await ask("read stream", async () =>
    drain(await client.chat.completions.create({ ...common, stream: true, stream_options: { include_usage: true } })),
  );
  await ask("read responses", () => client.responses.create({ model: "gpt-5-mini", input: `${question}read` }));
}

async function callAnthropic(client) {
  for (const word of ["read", "write", "hour"]) {
    const common = { model: "claude-sonnet-4-5", max_tokens: 100, messages: asked(word) };
    await ask(word, () => client.messages.create(common));
    await ask(`${word} stream`, async () => drain(await client.messages.create({ ...common, stream: true })));
  }
}

async function instrumentOpenAI(instrumentation) {
  const { OpenAI } = await load("openai");
  instrumentation.setTracerProvider(provider);
  instrumentation.manuallyInstrument(OpenAI);
  await callOpenAI(new OpenAI({ baseURL: `${url}/v1`, apiKey: "none" }));
}

async function instrumentAnthropic(instrumentation, instrument) {
  const sdk = await load("@anthropic-ai/sdk");
  instrumentation.setTracerProvider(provider);
  instrument(sdk);
  await callAnthropic(new sdk.Anthropic({ baseURL: url, apiKey: "none" }));
}

/** Calls a model through the AI SDK: at once and as a stream. */
async function callAiSdk(model, words) {
  const { generateText, streamText } = await load("ai");
  const telemetry = await aiTelemetry();
  for (const word of words) {
    await ask(word, () => generateText({ model, prompt: question + word, ...telemetry }));
    await ask(`${word} stream`, () => drain(streamText({ model, prompt: question + word, ...telemetry }).textStream));
  }
}

async function aiTelemetry() {
  try {
    const { OpenTelemetry } = await load("@ai-sdk/otel");
    return { telemetry: { isEnabled: true, integrations: [new OpenTelemetry()] } };
  } catch {
    return { experimental_telemetry: { isEnabled: true } };
  }
}

const instrumentations = {
  async ai_openai() {
    const { createOpenAI } = await load("@ai-sdk/openai");
    const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: "none", compatibility: "strict" });
    for (const model of [openai.chat("gpt-5-mini"), openai.responses("gpt-5-mini")]) await callAiSdk(model, ["read"]);
  },
  async ai_anthropic() {
    const { createAnthropic } = await load("@ai-sdk/anthropic");
    const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: "none" });
    await callAiSdk(anthropic("claude-sonnet-4-5"), ["read", "write", "hour"]);
  },
  async traceloop_openai() {
    const { OpenAIInstrumentation } = await load("@traceloop/instrumentation-openai");
    await instrumentOpenAI(new OpenAIInstrumentation());
  },
  async traceloop_anthropic() {
    const { AnthropicInstrumentation } = await load("@traceloop/instrumentation-anthropic");
    const instrumentation = new AnthropicInstrumentation();
    await instrumentAnthropic(instrumentation, (sdk) => instrumentation.manuallyInstrument(sdk));
  },
  async openinference_openai() {
    const { OpenAIInstrumentation } = await load("@arizeai/openinference-instrumentation-openai");
    await instrumentOpenAI(new OpenAIInstrumentation());
  },
  async openinference_anthropic() {
    const { AnthropicInstrumentation } = await load("@arizeai/openinference-instrumentation-anthropic");
    const instrumentation = new AnthropicInstrumentation();
    await instrumentAnthropic(instrumentation, (sdk) => instrumentation.manuallyInstrument(sdk.Anthropic));
  },
};

await instrumentations[name]();
await provider.shutdown();
server.stdin.end();
