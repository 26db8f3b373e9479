// Pure: recognizes kinds of tokens by the names that senders give them, such as `cache_read_input_tokens`,
// `prompt_tokens_details.cached_tokens` or `cachedInputTokens`.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { tokenCount } from "@ems/kit/edges";
import type { SentTokens } from "../../traces/index.ts";

export type TokenKind = keyof SentTokens;

/** Words of names that are no kind of their own: parts of a kind, other units, sums and costs. */
const foreign =
  /^(?:total|cost|costs|price|audio|image|images|video|text|ephemeral|miss|no|non|uncached|accepted|rejected|prediction|tool|requests?|ratio|ttft|time|seconds|characters|limit|max)$/;

/** Returns the kind of tokens that a name means; undefined for other names. */
export function tokenKind(name: string): TokenKind | undefined {
  if (name.length > nameLengthMax) return undefined;
  if (hourWrites.test(name)) return "hourWriteTokens";
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "" && word !== "details" && word !== "detail" && word !== "tokens" && word !== "token");
  if (words.some((word) => foreign.test(word))) return undefined;
  const has = (...names: string[]) => words.some((word) => names.includes(word));
  if (has("reasoning", "thinking", "thoughts")) return "reasoningTokens";
  if (has("cache", "cached", "caching"))
    return has("write", "writes", "written", "creation", "created", "create") ? "cacheWriteTokens" : "cachedTokens";
  if (words.length > 2 || words.some((word) => !plain.includes(word))) return undefined;
  if (has("input", "prompt")) return "promptTokens";
  return has("output", "completion", "candidates") ? "completionTokens" : undefined;
}

const hourWrites = /(?:ephemeral|write|creation)_?1h/i;
const plain = ["input", "prompt", "output", "completion", "candidates", "count", "usage"];
const nameLengthMax = 100;

export interface UsageObjectOptions {
  /** True if the sender's kinds do not overlap: input excludes the cache, and output excludes reasoning. */
  readonly isDisjoint?: boolean;
}

/**
 * Reads the usage object of a provider or an SDK. Kinds that do not overlap are added up: if the sender says so, if the
 * names are Anthropic's, or if only all kinds together are the stated total.
 */
export function readUsageObject(usage: JsonObject, { isDisjoint }: UsageObjectOptions = {}): SentTokens | undefined {
  const found = readTokenKinds(usage);
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = found;
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const [input, output] = [promptTokens ?? 0, completionTokens ?? 0];
  const cache = cachedTokens + cacheWriteTokens;
  const total = tokenCount(usage.total ?? usage.total_tokens ?? usage.totalTokens ?? usage.totalTokenCount);
  const surplus = total === undefined ? undefined : total - input - output;
  const isApart = (part: number, other: number, isByDefault: boolean) =>
    part > 0 && (surplus === undefined ? isByDefault : surplus === part || surplus === part + other);
  return {
    ...found,
    promptTokens: isApart(cache, reasoningTokens, isDisjoint ?? isAnthropic(usage)) ? input + cache : input,
    completionTokens: isApart(reasoningTokens, cache, isDisjoint ?? false) ? output + reasoningTokens : output,
  };
}

/** Reads all numbers of tokens in an object by their names. Of several of a kind, the largest counts. */
export function readTokenKinds(json: JsonObject): SentTokens {
  const found: { [Kind in TokenKind]?: number } = {};
  collect(json, "", 0, (name, value) => {
    const [kind, count] = [tokenKind(name), tokenCount(value)];
    if (kind !== undefined && count !== undefined) found[kind] = Math.max(found[kind] ?? 0, count);
  });
  return found;
}

/** Anthropic's API states input without its cache. */
function isAnthropic(usage: JsonObject): boolean {
  return "input_tokens" in usage && ("cache_read_input_tokens" in usage || "cache_creation_input_tokens" in usage);
}

const depthMax = 3;

function collect(json: JsonObject, prefix: string, depth: number, add: (name: string, value: JsonValue) => void): void {
  for (const [key, value] of Object.entries(json)) {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    if (typeof value !== "object" || value === null) add(name, value);
    else if (!Array.isArray(value) && depth < depthMax) collect(value, name, depth + 1, add);
  }
}
