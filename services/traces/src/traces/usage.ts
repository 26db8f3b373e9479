// Pure: numbers of tokens by kind.

import type { StorableObject } from "@ems/kit/readers";

export interface Tokens {
  /** Input tokens, including those of the cache. */
  readonly promptTokens: number;
  /** Output tokens, including those of reasoning. */
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** The part of `cacheWriteTokens` that the cache keeps for one hour. It only determines the price. */
  readonly hourWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

export const tokenKinds = [
  "promptTokens",
  "completionTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** Numbers of tokens as they were sent; undefined if not sent. */
export type SentTokens = { readonly [Kind in keyof Tokens]?: number | undefined };

/**
 * Returns consistent numbers; undefined if neither input nor output was sent. More cached tokens than input tokens mean
 * that the sender's input excludes the cache, as Anthropic's does.
 */
export function consistentTokens(sent: SentTokens): Tokens | undefined {
  const { promptTokens, completionTokens, cachedTokens = 0, reasoningTokens = 0, hourWriteTokens = 0 } = sent;
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const cacheWriteTokens = Math.max(sent.cacheWriteTokens ?? 0, hourWriteTokens);
  const cache = cachedTokens + cacheWriteTokens;
  const [input, output] = [promptTokens ?? 0, completionTokens ?? 0];
  return {
    promptTokens: cache > input ? input + cache : input,
    completionTokens: Math.max(output, reasoningTokens),
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(hourWriteTokens > 0 && { hourWriteTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  };
}

/** Reads the usage in a step's JSON. */
export function storedTokens(json: unknown): Tokens | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const fields = json as { readonly [Kind in (typeof tokenKinds)[number]]?: unknown };
  const count = (kind: (typeof tokenKinds)[number]) => (typeof fields[kind] === "number" ? fields[kind] : 0);
  return writtenTokens({
    promptTokens: count("promptTokens"),
    completionTokens: count("completionTokens"),
    cachedTokens: count("cachedTokens"),
    cacheWriteTokens: count("cacheWriteTokens"),
    reasoningTokens: count("reasoningTokens"),
  });
}

/** Returns the usage in the form of a step's JSON, which omits zeros of details. */
export function writtenTokens(tokens: Tokens): Tokens & StorableObject {
  const { promptTokens, completionTokens } = tokens;
  const written: { -readonly [Kind in keyof Tokens]: Tokens[Kind] } & StorableObject = {
    promptTokens,
    completionTokens,
  };
  for (const kind of detailKinds) {
    const count = tokens[kind] ?? 0;
    if (count > 0) written[kind] = count;
  }
  return written;
}

const detailKinds = ["cachedTokens", "cacheWriteTokens", "hourWriteTokens", "reasoningTokens"] as const;

export function sumTokens(list: readonly Tokens[]): Tokens {
  const sum = (kind: (typeof tokenKinds)[number]) => list.reduce((total, tokens) => total + (tokens[kind] ?? 0), 0);
  return {
    promptTokens: sum("promptTokens"),
    completionTokens: sum("completionTokens"),
    cachedTokens: sum("cachedTokens"),
    cacheWriteTokens: sum("cacheWriteTokens"),
    reasoningTokens: sum("reasoningTokens"),
  };
}

/** Returns the number of tokens; -1 without tokens, which sorts after every number. */
export function countTokens(tokens: Tokens | undefined): number {
  return tokens === undefined ? -1 : tokens.promptTokens + tokens.completionTokens;
}

/** Returns true for equal input and output. Details may differ, because not all spans of a call have them. */
export function hasSameTokens(a: Tokens | undefined, b: Tokens | undefined): boolean {
  return a?.promptTokens === b?.promptTokens && a?.completionTokens === b?.completionTokens;
}

export function isSameUsage(a: Tokens | undefined, b: Tokens | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return tokenKinds.every((kind) => (a[kind] ?? 0) === (b[kind] ?? 0));
}
