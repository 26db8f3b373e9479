// Calls the model of a connection through the AI SDK. A call is one request, except that it is repeated without
// parameters that the model does not support.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, Output } from "ai";
import { type ModelAnswer, ModelFault, type ModelRequest, type Transmission } from "../judges/index.ts";
import { type DroppedParameters, type Lack, parameters } from "./dropped-parameters.ts";
import { notCompletion, toEndFault, toErrorFault, toFault, unreadable } from "./faults.ts";
import { type Completion, type Protocol, readAnswer } from "./read-answer.ts";
import { readText } from "./read-text.ts";

export type Provider = "openai" | "anthropic" | "openai-compatible";

/** The fields of a connection that a call needs, with the decrypted key. */
export interface CalledConnection {
  readonly id: string;
  readonly modifiedAt: Date;
  readonly provider: Provider;
  readonly baseUrl: string | null;
  readonly model: string;
  readonly apiKey: string;
}

export interface CallerDeps {
  readonly newFetch: (transmission?: Transmission) => typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly dropped: DroppedParameters;
}

// Otherwise the SDK logs unsupported parameters to the console.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export function generate<T>(
  connection: CalledConnection,
  request: ModelRequest<T>,
  deps: CallerDeps,
): Promise<ModelAnswer<T>> {
  const transmission = request.transmission ?? { state: "unknown" };
  const without = deps.dropped.of(connection);
  const bounds = { apiKey: connection.apiKey, timeoutMs: deps.timeoutMs, signal: request.signal };
  return mended(without, () =>
    bounded(bounds, async (abortSignal) => {
      const completion = await complete(connection, request, { without, abortSignal, transmission, deps });
      return readCompletion(completion, request, { model: connection.model, without });
    }),
  );
}

/** Repeats the call without a parameter, if the provider names that parameter as its reason to refuse the call. */
async function mended<T>(without: Set<Lack>, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const named = error instanceof ModelFault ? parameterNamed(error.parameter) : undefined;
      if (named === undefined || without.has(named)) throw error;
      without.add(named);
    }
  }
}

interface Bounds {
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs a call within the timeout. Throws a ModelFault, or the signal's reason if the caller aborted the call. */
async function bounded<T>({ apiKey, timeoutMs, signal }: Bounds, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await run(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toFault(error, { apiKey, timeoutMs, hasTimedOut: timeout.aborted });
  }
}

const parameterNamed = (name: string | undefined) => parameters.find((parameter) => parameter === name);

interface CompleteOptions {
  readonly without: ReadonlySet<Lack>;
  readonly abortSignal: AbortSignal;
  readonly transmission: Transmission;
  readonly deps: CallerDeps;
}

/** Sends the request, and returns the completion as it arrived. The SDK builds the request; it does not read answers. */
async function complete<T>(
  connection: CalledConnection,
  { system, prompt, schema, temperature, seed, maxOutputTokens }: ModelRequest<T>,
  { without, abortSignal, transmission, deps }: CompleteOptions,
): Promise<Completion> {
  let completion: Completion | undefined;
  const fetch = readingFetch(connection, deps.newFetch(transmission), transmission, (arrived) => {
    completion = arrived;
  });
  const isPlain = without.has("schema");
  const common = {
    model: languageModel(connection, fetch),
    // A model whose server does not enforce the schema gets it in its instructions.
    instructions:
      isPlain || without.has("enforcement") ? `${system}\n\nThe schema: ${JSON.stringify(schema.json)}` : system,
    prompt,
    maxRetries: 0,
    abortSignal,
    ...(!without.has("temperature") && { temperature }),
    ...(!without.has("seed") && seed !== undefined && { seed }),
    ...(!without.has("maxOutputTokens") && { maxOutputTokens }),
  };
  const output = Output.object({ schema: jsonSchema({ ...schema.json }), name: schema.name });
  try {
    await generateText(isPlain ? common : { ...common, output });
  } catch (error) {
    if (completion === undefined) throw error;
  }
  if (completion === undefined) throw notCompletion("an empty body", true);
  return completion;
}

interface ReadOptions {
  readonly model: string;
  readonly without: Set<Lack>;
}

/** Reads the judge's object. A complete object counts even if the token limit ended the text after it. */
function readCompletion<T>(
  { text, end, usage, model }: Completion,
  request: ModelRequest<T>,
  { model: requested, without }: ReadOptions,
): ModelAnswer<T> {
  const fault = toEndFault(end, usage, request.maxOutputTokens);
  if (fault !== undefined && fault.kind !== "truncated") throw fault;
  const read = readText(text, request.schema, request.prompt);
  // The next request, such as the repair, then contains the schema.
  if (read.isEnforced === false && fault === undefined) without.add("enforcement");
  if ("fault" in read) throw fault ?? unreadable(read.fault, read.problem, usage);
  const isHonored = read.isEnforced === true && !without.has("schema") && !without.has("enforcement");
  return {
    object: read.object,
    usage,
    model: model ?? requested,
    structuredOutput: isHonored ? "honored" : "emulated",
  };
}

function languageModel(
  { provider, baseUrl, model, apiKey }: CalledConnection,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  const settings = { apiKey, fetch, ...(baseUrl !== null && { baseURL: baseUrl }) };
  switch (provider) {
    case "openai":
      // Uses the chat completions API, because it accepts a seed.
      return createOpenAI(settings).chat(model);
    case "anthropic":
      return createAnthropic(settings)(model);
    case "openai-compatible":
      return createOpenAICompatible({
        ...settings,
        name: provider,
        baseURL: baseUrl ?? "",
        supportsStructuredOutputs: true,
      })(model);
  }
}

/** Bodies that the SDK can read, in place of the answers, which are read here. */
const sdkBodies: Readonly<Record<Protocol, object>> = {
  openai: { choices: [{ index: 0, message: { role: "assistant", content: "{}" }, finish_reason: "stop" }] },
  anthropic: {
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "{}" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 0, output_tokens: 0 },
  },
};

/**
 * Returns a fetch that reads answers and records their usage. Throws a ModelFault for an answer without a completion;
 * responses with an error status are unchanged.
 */
function readingFetch(
  { provider, apiKey }: CalledConnection,
  fetch: typeof globalThis.fetch,
  transmission: Transmission,
  onCompletion: (completion: Completion) => void,
): typeof globalThis.fetch {
  const protocol = provider === "anthropic" ? "anthropic" : "openai";
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok) return response;
    const answer = readAnswer(protocol, new Uint8Array(await response.arrayBuffer()));
    if (answer.kind === "error") {
      Object.assign(transmission, { state: "sent", answer: undefined });
      throw toErrorFault(answer.error, { status: undefined, apiKey, headers: Object.fromEntries(response.headers) });
    }
    const { textBytes, usage } = answer;
    transmission.answer = { textBytes, usage };
    if (answer.kind === "other") throw notCompletion(answer.what, answer.isTransient, usage);
    onCompletion(answer);
    return new Response(JSON.stringify(sdkBodies[protocol]), {
      status: 200,
      headers: { "content-type": "application/json" },
    });
  };
}
