// Rules for the tables of conventions: each maps attributes to a fact.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { edgeReader, finiteNumber, money, moneyMax, tokenCount, tokenCountMax } from "@ems/kit/edges";
import { isObject, parsed, parsedMetadata, text as textOf } from "../json-text.ts";
import type { FactName, Facts, Payloads, StepType } from "./facts.ts";
import { readUsageObject, type TokenKind, tokenKind, type UsageObjectOptions } from "./token-names.ts";

export interface Rule {
  /** The fact; for a family, it may depend on the name after the prefix. */
  readonly fact: FactName | ((rest: string) => FactName | undefined);
  /** Reads the fact; undefined if the value says nothing. `rest` is the name after the prefix of a family. */
  readonly read: (value: JsonValue, before: Facts, rest: string) => unknown;
  /** Description of valid values, for a warning to the sender. */
  readonly expected?: string;
}

export interface Convention {
  /** Rules by attribute. */
  readonly attributes: Readonly<Record<string, Rule>>;
  /** Rules by prefix of attribute names, up to a dot (a "family"). */
  readonly families?: Readonly<Record<string, Rule>>;
  /** Adds facts that follow from several attributes. */
  readonly complete?: (facts: Facts, attributes: JsonObject) => void;
}

type FactsWithType<T> = { [K in FactName]-?: T extends Exclude<Facts[K], undefined> ? K : never }[FactName];

/** Rule for a text. */
export const text = (fact: Exclude<FactsWithType<string>, keyof Payloads>): Rule => ({
  fact,
  read: (value) => (typeof value === "number" ? String(value) : unquoted(value)),
});

/** Returns a text without the quotation marks of JSON, which MLflow adds. */
function unquoted(value: JsonValue): string | undefined {
  return textOf(typeof value === "string" && value.startsWith('"') ? parsed(value) : value);
}

/** Rule for a text or a list of texts. */
export const texts = (fact: "finishReason"): Rule => ({
  fact,
  read: (value) => {
    const list = [parsed(value)].flat().map(textOf);
    return textOf([...new Set(list.filter((each) => each !== undefined))].join(", "));
  },
});

const readEdge = edgeReader("exporter");

/** Rule for a score, which some exporters send as text. */
export const score = (fact: "evaluationScore"): Rule => ({
  fact,
  read: (value) => readEdge("score", value, finiteNumber),
});

/** Rule for US dollars. */
export const dollars = (fact: "cost" | "promptCost" | "completionCost"): Rule => ({
  fact,
  read: (value) => readEdge("cost", value, money),
  expected: `an amount from 0 to ${moneyMax}`,
});

/** Rule for US dollars in an object: its total, or the sum of its parts. Zeros say that the sender knows no price. */
export const dollarsIn = (total: string, parts: readonly string[]): Rule => ({
  fact: "cost",
  read: (value) => {
    const costs = parsed(value);
    if (!isObject(costs)) return undefined;
    const read = (name: string) => readEdge("cost", costs[name] ?? null, money) ?? 0;
    return read(total) || parts.reduce((sum, name) => sum + read(name), 0) || undefined;
  },
});

const tokenFields = {
  promptTokens: "input_tokens",
  completionTokens: "output_tokens",
  cachedTokens: "cached_tokens",
  cacheWriteTokens: "cache_write_tokens",
  hourWriteTokens: "cache_write_tokens",
  reasoningTokens: "reasoning_tokens",
};

/** Rule for a number of tokens. */
export const tokens = (fact: TokenKind): Rule => ({
  fact,
  read: (value) => readEdge(tokenFields[fact], value, tokenCount),
  expected: expectedTokens,
});

const expectedTokens = `a whole number from 0 to ${tokenCountMax}`;

/** Rule for numbers of tokens in all spellings. Of several, the largest counts. */
export const tokensByName: Rule = {
  fact: tokenKind,
  read: (value, before, rest) => {
    const kind = tokenKind(rest);
    const count = kind && readEdge(tokenFields[kind], value, tokenCount);
    if (kind === undefined || count === undefined) return undefined;
    before[kind] = Math.max(before[kind] ?? 0, count);
    return count;
  },
  expected: expectedTokens,
};

/** Rule for the usage of a call as one object, or as text that contains one. */
export const usageObject = (options?: UsageObjectOptions): Rule => ({
  fact: "usage",
  read: (value) => {
    const usage = parsed(value);
    return isObject(usage) ? readUsageObject(usage, options) : undefined;
  },
});

/** Rule for any value that may be long; it is read only when the step needs it. */
export const payload = (fact: keyof Payloads): Rule => ({ fact, read: (value) => value ?? undefined });

/** Rule for JSON, or text that contains JSON. */
export const json = (fact: "params" | "metadata" | "tags"): Rule => ({
  fact,
  read: (value) => parsedMetadata(value) ?? undefined,
});

export const flag = (fact: "guardrailTriggered" | "isSum"): Rule => ({
  fact,
  read: (value) => (typeof value === "boolean" ? value : { true: true, false: false }[textOf(value) ?? ""]),
});

/** Rule for the step's type, by the attribute's value in lower case. */
export const typeBy = (types: Readonly<Record<string, StepType>>): Rule => ({
  fact: "type",
  read: (value) => {
    const name = unquoted(value)?.toLowerCase() ?? "";
    return Object.hasOwn(types, name) ? types[name] : undefined;
  },
});

/** Rule for the step's type, by the attribute's presence. */
export const typeIfPresent = (type: StepType): Rule => ({ fact: "type", read: () => type });

/** Rule that collects indexed attributes (`0.message.role`) in a tree. */
export const indexed = (fact: keyof Payloads): Rule => ({
  fact,
  read: (value, before, rest) => {
    const tree = isObject(before[fact]) ? before[fact] : {};
    return insert(tree, rest.split("."), value) ? tree : before[fact];
  },
});

/** Rule that collects the attributes of one family in an object. */
export const collected = (fact: "params" | "metadata"): Rule => ({
  fact,
  read: (value, before, rest) => {
    const object = isObject(before[fact]) ? before[fact] : {};
    return rest === "__proto__" ? object : Object.assign(object, { [rest]: value });
  },
});

const depthMax = 12;

function insert(tree: JsonObject, path: readonly string[], value: JsonValue): boolean {
  const last = path.at(-1);
  if (last === undefined || path.length > depthMax || path.includes("__proto__")) return false;
  let node = tree;
  for (const part of path.slice(0, -1)) {
    const next = Object.hasOwn(node, part) ? node[part] : undefined;
    if (next !== undefined && !isObject(next)) return false;
    const child = next ?? {};
    node[part] = child;
    node = child;
  }
  node[last] = value;
  return true;
}

/** Returns a tree's values in the order of their indexes. */
export function toList(tree: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(tree)) return tree;
  if (!isObject(tree)) return [];
  const isIndexed = Object.keys(tree).every((key) => /^\d+$/.test(key));
  // Already in order, because JavaScript sorts whole-number keys of objects ascending.
  return isIndexed ? Object.values(tree) : [tree];
}
