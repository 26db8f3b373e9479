// Calls the model of a connection through the AI SDK. A call is one request, except that it is repeated without
// parameters that the model does not support.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, Output } from "ai";
import { type ModelAnswer, ModelFault, type ModelRequest, type Transmission } from "../judges/index.ts";
import { type DroppedParameters, type Parameter, parameters } from "./dropped-parameters.ts";
import { ended, invalid, toFault } from "./faults.ts";
import { jsonIn } from "./json-in.ts";
import { type Protocol, readAnswer } from "./read-answer.ts";

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

/** Maximum number of characters in an answer; longer answers are invalid. */
const answerCharsMax = 64 * 1024;

// Otherwise the SDK logs unsupported parameters to the console.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export function generate<T>(
  connection: CalledConnection,
  request: ModelRequest<T>,
  deps: CallerDeps,
): Promise<ModelAnswer<T>> {
  const transmission = request.transmission ?? { state: "unknown" };
  const model = languageModel(connection, deps.newFetch(transmission), transmission);
  const without = deps.dropped.of(connection);
  const bounds = { apiKey: connection.apiKey, timeoutMs: deps.timeoutMs, signal: request.signal, transmission };
  return mended(without, () =>
    bounded(bounds, (abortSignal) => call(model, { ...request, transmission }, without, abortSignal)),
  );
}

/** Requests one token and returns the name of the model; ignores the text. */
export function ping(connection: CalledConnection, signal: AbortSignal, deps: CallerDeps): Promise<string> {
  const transmission: Transmission = { state: "unknown" };
  const model = languageModel(connection, deps.newFetch(transmission), transmission);
  const without = deps.dropped.of(connection);
  const bounds = { apiKey: connection.apiKey, timeoutMs: deps.timeoutMs, signal, transmission };
  return mended(without, () =>
    bounded(bounds, async (abortSignal) => {
      const tokens = without.has("maxOutputTokens") ? {} : { maxOutputTokens: 1 };
      const { response } = await generateText({
        model,
        prompt: "Answer with OK.",
        maxRetries: 0,
        abortSignal,
        ...tokens,
      });
      return response.modelId;
    }),
  );
}

/** Repeats the call without a parameter, if the provider names that parameter as its reason to refuse the call. */
async function mended<T>(without: Set<Parameter>, call: () => Promise<T>): Promise<T> {
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
  readonly transmission: Transmission;
}

/** Runs a call within the timeout. Throws a ModelFault, or the signal's reason if the caller aborted the call. */
async function bounded<T>(
  { apiKey, timeoutMs, signal, transmission }: Bounds,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await run(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toFault(error, { apiKey, timeoutMs, hasTimedOut: timeout.aborted, answer: transmission.answer });
  }
}

const parameterNamed = (name: string | undefined) => parameters.find((parameter) => parameter === name);

function languageModel(
  { provider, baseUrl, model, apiKey }: CalledConnection,
  plainFetch: typeof globalThis.fetch,
  transmission: Transmission,
): LanguageModel {
  const fetch = readingFetch(plainFetch, provider === "anthropic" ? "anthropic" : "openai", transmission);
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

/** Returns a fetch that gives the SDK limited, pre-parsed answers and records usage. Error responses are unchanged. */
function readingFetch(
  fetch: typeof globalThis.fetch,
  protocol: Protocol,
  transmission: Transmission,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok) return response;
    const { errorStatus, body, usage, textBytes } = readAnswer(protocol, new Uint8Array(await response.arrayBuffer()));
    const headers = { "content-type": "application/json" };
    if (errorStatus === undefined) transmission.answer = { textBytes, usage };
    else Object.assign(transmission, { state: "sent", answer: undefined });
    return new Response(body, { status: errorStatus ?? 200, headers });
  };
}

async function call<T>(
  model: LanguageModel,
  {
    system,
    prompt,
    schema,
    temperature,
    seed,
    maxOutputTokens,
    transmission,
  }: ModelRequest<T> & { readonly transmission: Transmission },
  without: ReadonlySet<Parameter>,
  abortSignal: AbortSignal,
): Promise<ModelAnswer<T>> {
  const isPlain = without.has("schema");
  const common = {
    model,
    // A model that cannot give structured answers gets the schema in its instructions.
    instructions: isPlain ? `${system}\n\nThe schema: ${JSON.stringify(schema.json)}` : system,
    prompt,
    maxRetries: 0,
    abortSignal,
    ...(!without.has("temperature") && { temperature }),
    ...(!without.has("seed") && seed !== undefined && { seed }),
    ...(!without.has("maxOutputTokens") && { maxOutputTokens }),
  };
  // Reads the text without the SDK's parser, which has no limit and puts the answer into its errors.
  const result = isPlain
    ? await generateText(common)
    : await generateText({
        ...common,
        output: Output.object({ schema: jsonSchema({ ...schema.json }), name: schema.name }),
      });
  const { text, finishReason, response } = result;
  const usage = transmission.answer?.usage ?? {};
  const fault = ended(finishReason, usage);
  if (fault !== undefined) throw fault;
  const object = text.length > answerCharsMax ? undefined : schema.parse(jsonIn(text));
  if (object === undefined) throw invalid(usage);
  return { object, usage, model: response.modelId };
}
