// Parses a provider's answer once: reads the usage, and the text and end that a judge needs, in the protocol's form and
// of limited size.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { edgeReader, type Parse, shortName, type TokenCount, tokenCount } from "@ems/kit/edges";
import type { ReportedUsage } from "../judges/index.ts";
import { readJson } from "./json-in.ts";
import { isObject } from "./json-objects.ts";
import { describeBody, type ReportedError, readError } from "./reported-error.ts";

export type Protocol = "openai" | "anthropic";

/** End of the model's answer: by itself, at the token limit, by its refusal or by the provider's filter. */
export type AnswerEnd = "complete" | "truncated" | "refused" | "filtered";

export interface Completion {
  readonly kind: "completion";
  /** The model's text, or the arguments of its only tool call. */
  readonly text: string;
  readonly end: AnswerEnd;
  /** Name of the model, if the answer contains it. */
  readonly model: string | undefined;
  readonly usage: ReportedUsage;
  /** UTF-8 bytes that the model wrote. */
  readonly textBytes: number;
}

export type ReadAnswer =
  | Completion
  /** An error that the provider put into an answer with a success status. */
  | { readonly kind: "error"; readonly error: ReportedError }
  | {
      readonly kind: "other";
      /** Name of what arrived instead of a completion. */
      readonly what: string;
      /** True if the same request may get a completion later. */
      readonly isTransient: boolean;
      readonly usage: ReportedUsage;
      readonly textBytes: number;
    };

const read = edgeReader("model");

/** Ten times the longest context window. Without this limit, one mistaken answer could exhaust any budget. */
const callTokensMax = 10_000_000;
const callTokens: Parse<TokenCount> = (value) => {
  const count = tokenCount(value);
  return count !== undefined && count <= callTokensMax ? count : undefined;
};

/** Reads an answer. Drops a byte order mark; invalid UTF-8 becomes U+FFFD. */
export function readAnswer(protocol: Protocol, bytes: Uint8Array): ReadAnswer {
  const body = new TextDecoder().decode(bytes);
  const json = readJson(body);
  if (!isObject(json)) return { kind: "other", ...describeBody(body), usage: {}, textBytes: bytes.byteLength };
  const error = readError(json);
  if (error !== undefined) return { kind: "error", error };
  const usage = read("usage", json.usage, objectOrUndefined) ?? {};
  const written = protocol === "openai" ? openAi(json) : anthropic(json);
  const counts = protocol === "openai" ? openAiUsage(usage) : anthropicUsage(usage);
  if (written === undefined) return { kind: "other", ...noCompletion(json), usage: counts, textBytes: 0 };
  return {
    kind: "completion",
    text: written.text,
    end: written.end,
    model: read("model", json.model, shortName),
    usage: counts,
    textBytes: written.all.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

const noCompletion = (json: JsonObject) =>
  "choices" in json || "content" in json
    ? { what: "an answer without a choice", isTransient: true }
    : { what: "JSON that is not a completion", isTransient: false };

interface Written {
  readonly text: string;
  readonly end: AnswerEnd;
  /** All texts that the model wrote. */
  readonly all: readonly string[];
}

function openAi(json: JsonObject): Written | undefined {
  const [first] = toList(json.choices);
  if (!isObject(first)) return undefined;
  const message = toObject(first.message);
  const content = readContent(message.content) ?? toText(first.text);
  const refusal = toText(message.refusal);
  const calls = toList(message.tool_calls).map((call) => toText(toObject(toObject(call).function).arguments));
  const text = content ?? getOnly(calls) ?? "";
  const end = readEnd(first.finish_reason);
  // A model refuses in a field of its own, and ends as usual.
  const isRefused = end === "complete" && refusal !== null && refusal !== "" && text.trim() === "";
  const written = [content, refusal, message.reasoning_content, message.reasoning, ...calls];
  return { text, end: isRefused ? "refused" : end, all: written.filter((each) => typeof each === "string") };
}

/** Reads a text, which some servers send in parts. */
function readContent(content: JsonValue | undefined): string | null {
  if (!Array.isArray(content)) return toText(content);
  const texts = content.map((part) => toText(toObject(part).text)).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join("");
}

function anthropic(json: JsonObject): Written | undefined {
  if (!Array.isArray(json.content)) return undefined;
  const blocks = toList(json.content).map(toObject);
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => toText(text));
  const thoughts = blocks.map(({ thinking }) => toText(thinking));
  const inputs = blocks.filter(({ type }) => type === "tool_use").map(({ input }) => JSON.stringify(input ?? null));
  const text = texts.filter((each) => each !== null).join("");
  return {
    // Older models answer by a call of a tool with the schema, sometimes after a text.
    text: getOnly(inputs) ?? text,
    end: readEnd(json.stop_reason),
    all: [...texts, ...thoughts, ...inputs].filter((each) => typeof each === "string"),
  };
}

const getOnly = <T>(values: readonly T[]): T | undefined => (values.length === 1 ? values[0] : undefined);

/** Names in the answers of providers and routers, without separators. */
const ends: Readonly<Record<string, AnswerEnd>> = {
  length: "truncated",
  maxtokens: "truncated",
  maxoutputtokens: "truncated",
  modellength: "truncated",
  modelcontextwindowexceeded: "truncated",
  refusal: "refused",
  contentfilter: "filtered",
  contentfiltered: "filtered",
  guardrailintervened: "filtered",
  safety: "filtered",
  recitation: "filtered",
  prohibitedcontent: "filtered",
  blocklist: "filtered",
  spii: "filtered",
};

function readEnd(reason: JsonValue | undefined): AnswerEnd {
  const name = read("finish_reason", reason, shortName) ?? "";
  // Some routers append the cause, such as `content_filter: SAFETY`.
  const [word = ""] = name.split(":");
  return ends[word.toLowerCase().replace(/[^a-z]/g, "")] ?? "complete";
}

/**
 * Reads the usage. Tokens that only the total includes count as output, because some servers omit the tokens of
 * reasoning (github.com/router-for-me/CLIProxyAPI/issues/5733), or the whole output count
 * (github.com/agentgateway/agentgateway/pull/1465).
 */
function openAiUsage(usage: JsonObject): ReportedUsage {
  const prompt = read("input_tokens", usage.prompt_tokens ?? usage.input_tokens, callTokens);
  const outputTokens = read("output_tokens", usage.completion_tokens ?? usage.output_tokens, callTokens);
  // Some servers count no tokens for a cached prompt (github.com/ollama/ollama/issues/5370).
  if (prompt === undefined || prompt === 0) return { outputTokens };
  const details = toObject(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const cached = readCached(
    details.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cache_read_input_tokens,
    details.cache_write_tokens ?? details.cache_creation_tokens ?? usage.cache_creation_input_tokens,
  );
  // More cached tokens than input tokens: the server does not count them as input.
  const isApart = cached.sum > prompt;
  const counts = { ...cached.counts, inputTokens: isApart ? prompt + cached.sum : prompt };
  const total = read("total_tokens", usage.total_tokens, (value) => {
    const count = callTokens(value);
    return count !== undefined && count >= counts.inputTokens ? count : undefined;
  });
  if (total === undefined) return { ...counts, outputTokens };
  return { ...counts, outputTokens: Math.max(outputTokens ?? 0, total - counts.inputTokens) };
}

/** Reads the usage. Adds tokens read from or written to the cache, which `input_tokens` does not include. */
function anthropicUsage(usage: JsonObject): ReportedUsage {
  const inputTokens = read("input_tokens", usage.input_tokens, callTokens);
  const outputTokens = read("output_tokens", usage.output_tokens, callTokens);
  if (inputTokens === undefined) return { outputTokens };
  const cached = readCached(usage.cache_read_input_tokens, usage.cache_creation_input_tokens);
  return { ...cached.counts, inputTokens: inputTokens + cached.sum, outputTokens };
}

/** Reads the tokens read from the cache and written to it; counts that are missing, absurd or 0 are left out. */
function readCached(readTokens: JsonValue | undefined, writtenTokens: JsonValue | undefined) {
  const cached = read("cached_tokens", readTokens, callTokens) ?? 0;
  const written = read("cached_tokens", writtenTokens, callTokens) ?? 0;
  const counts = {
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
  return { sum: cached + written, counts };
}

const toObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const objectOrUndefined: Parse<JsonObject> = (value) =>
  isObject(value as JsonValue) ? (value as JsonObject) : undefined;

/** Maximum number of items in a list. A choice or block takes more than a few bytes, so real lists are shorter. */
const itemsMax = 1_000;
const toList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value.slice(0, itemsMax) : []);
const toText = (value: JsonValue | undefined): string | null => (typeof value === "string" ? value : null);
