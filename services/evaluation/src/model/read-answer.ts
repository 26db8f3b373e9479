// Parses a provider's answer once: reads the usage and the fields that a judge needs, in the protocol's form and of
// limited size.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { edgeReader, finiteNumber, type Parse, shortName, type TokenCount, tokenCount } from "@ems/kit/edges";
import type { ReportedUsage } from "../judges/index.ts";
import { readJson } from "./json-in.ts";

export type Protocol = "openai" | "anthropic";

export interface ReadAnswer {
  /** Status of an error that the provider put into an answer with a success status. */
  readonly errorStatus?: number;
  /** JSON in the protocol's form, with only the fields that judges need; empty for an answer not in that form. */
  readonly body: string;
  readonly usage: ReportedUsage;
  /** UTF-8 bytes that the model wrote; for an answer not in the protocol's form, the bytes of the whole answer. */
  readonly textBytes: number;
}

const read = edgeReader("model");

/** Ten times the longest context window. Without this limit, one mistaken answer could exhaust any budget. */
const callTokensMax = 10_000_000;

const callTokens: Parse<TokenCount> = (value) => {
  const count = tokenCount(value);
  return count !== undefined && count <= callTokensMax ? count : undefined;
};

/** Reads an answer. Drops a byte order mark; invalid UTF-8 becomes U+FFFD. */
export function readAnswer(protocol: Protocol, bytes: Uint8Array): ReadAnswer {
  const json = readJson(new TextDecoder().decode(bytes));
  if (!isObject(json)) return { body: "", usage: {}, textBytes: bytes.byteLength };
  const error = errorIn(json);
  if (error !== undefined) return { ...error, usage: {}, textBytes: 0 };
  const { fields, written } = protocol === "openai" ? openAi(json) : anthropic(json);
  const usage = read("usage", json.usage, objectOrUndefined) ?? {};
  return {
    body: JSON.stringify({ model: read("model", json.model, shortName), ...fields }),
    usage: protocol === "openai" ? openAiUsage(usage) : anthropicUsage(usage),
    textBytes: written.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

const badGateway = 502;
const errorStatus: Parse<number> = (value) => {
  const status = finiteNumber(value);
  return status !== undefined && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
};

/**
 * Finds an error in the body or in its first choice, since routers send status 200 before the model runs
 * (openrouter.ai/docs/api-reference/errors, github.com/maximhq/bifrost/pull/5963).
 */
function errorIn(json: JsonObject): { readonly errorStatus: number; readonly body: string } | undefined {
  const found = json.error ?? toObject(toList(json.choices)[0]).error;
  if (typeof found !== "string" && !isObject(found)) return undefined;
  const { message, code, param } = isObject(found) ? found : { message: found };
  const status = typeof code === "number" ? read("error_code", code, errorStatus) : undefined;
  return {
    errorStatus: status ?? badGateway,
    body: JSON.stringify({ error: { message: toText(message), param: toText(param) } }),
  };
}

interface Fields {
  readonly fields: JsonObject;
  /** All texts that the model wrote. */
  readonly written: readonly string[];
}

function openAi(json: JsonObject): Fields {
  const [first] = toList(json.choices);
  if (!isObject(first)) return { fields: { choices: [] }, written: [] };
  const message = toObject(first.message);
  const content = readContent(message.content);
  const refusal = toText(message.refusal);
  const finish_reason = read("finish_reason", first.finish_reason, shortName) ?? null;
  const calls = toList(message.tool_calls).map((call) => toObject(toObject(call).function).arguments);
  const written = [content, refusal, message.reasoning_content, message.reasoning, ...calls];
  return {
    fields: { choices: [{ index: 0, message: { role: "assistant", content, refusal }, finish_reason }] },
    written: written.filter((text) => typeof text === "string"),
  };
}

/** Reads a text, which some servers send in parts. */
function readContent(content: JsonValue | undefined): string | null {
  if (!Array.isArray(content)) return toText(content);
  const texts = content.map((part) => toText(toObject(part).text)).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join("");
}

function anthropic(json: JsonObject): Fields {
  const written: string[] = [];
  const content = toList(json.content).flatMap((value): JsonObject[] => {
    const { type, text, thinking, name, input } = toObject(value);
    for (const each of [text, thinking]) if (typeof each === "string") written.push(each);
    if (type === "text" && typeof text === "string") return [{ type, text }];
    if (type !== "tool_use" || typeof name !== "string") return [];
    written.push(JSON.stringify(input ?? null));
    return [{ type, id: "toolu", name, input: input ?? null }];
  });
  return {
    fields: {
      type: "message",
      role: "assistant",
      content,
      stop_reason: read("finish_reason", json.stop_reason, shortName) ?? null,
      // The protocol requires these fields, but they are not read.
      usage: { input_tokens: 0, output_tokens: 0 },
    },
    written,
  };
}

/**
 * Reads the usage. Tokens that only the total includes count as output, because some servers omit the tokens of
 * reasoning (github.com/router-for-me/CLIProxyAPI/issues/5733), or the whole output count
 * (github.com/agentgateway/agentgateway/pull/1465).
 */
function openAiUsage(usage: JsonObject): ReportedUsage {
  const inputTokens = read("input_tokens", usage.prompt_tokens ?? usage.input_tokens, callTokens);
  const outputTokens = read("output_tokens", usage.completion_tokens ?? usage.output_tokens, callTokens);
  // Some servers count no tokens for a cached prompt (github.com/ollama/ollama/issues/5370).
  if (inputTokens === undefined || inputTokens === 0) return { outputTokens };
  const total = read("total_tokens", usage.total_tokens, (value) => {
    const count = callTokens(value);
    return count !== undefined && count >= inputTokens ? count : undefined;
  });
  if (total === undefined) return { inputTokens, outputTokens };
  return { inputTokens, outputTokens: Math.max(outputTokens ?? 0, total - inputTokens) };
}

/** Reads the usage. Adds tokens read from or written to the cache, which `input_tokens` does not include. */
function anthropicUsage(usage: JsonObject): ReportedUsage {
  const inputTokens = read("input_tokens", usage.input_tokens, callTokens);
  const outputTokens = read("output_tokens", usage.output_tokens, callTokens);
  if (inputTokens === undefined) return { outputTokens };
  const cached = [usage.cache_creation_input_tokens, usage.cache_read_input_tokens].map(
    (count) => read("cached_tokens", count, callTokens) ?? 0,
  );
  return { inputTokens: cached.reduce((sum, count) => sum + count, inputTokens as number), outputTokens };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const objectOrUndefined: Parse<JsonObject> = (value) =>
  isObject(value as JsonValue) ? (value as JsonObject) : undefined;
/** Maximum number of items in a list. A choice or block takes more than a few bytes, so real lists are shorter. */
const itemsMax = 1_000;
const toList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value.slice(0, itemsMax) : []);
const toText = (value: JsonValue | undefined): string | null => (typeof value === "string" ? value : null);
