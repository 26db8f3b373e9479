// JSON in texts, and its comparison. Numbers keep their digits.

import { isExactNumber, withDoubles } from "@ems/kit/json/exact-number";
import { jsonTextLimits, readJsonText, UnreadableText } from "@ems/kit/readers";
import { canonical, readDecimal } from "./numbers.ts";
import { quote } from "./show.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type ReadJson = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

/** Returns the content of the fenced blocks of Markdown in a text. */
export function fencedTexts(text: string): string[] {
  const blocks: string[] = [];
  let open: { readonly mark: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (open === undefined) {
      if (mark !== "") open = { mark, lines: [] };
    } else if (mark.startsWith(open.mark) && line.trim() === mark) {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}

/** Reads the JSON of a text, or of its only fenced block; with `exactNumbers`, for `findDifference` alone. */
export function readJson(text: string, { exactNumbers = false } = {}): ReadJson {
  const plain = text.replaceAll("\r\n", "\n").trim();
  const whole = parse(plain, exactNumbers);
  if (whole.ok) return whole;
  const blocks = fencedTexts(plain);
  const [block] = blocks;
  if (block === undefined) return whole;
  return blocks.length === 1 ? parse(block, exactNumbers) : { ok: false, message: "It has several fenced blocks" };
}

function parse(text: string, exactNumbers: boolean): ReadJson {
  try {
    const value = readJsonText(text, jsonTextLimits);
    // Safe cast: JsonValue has the same values.
    return { ok: true, value: exactNumbers ? markExact(value as Json) : (withDoubles(value) as Json) };
  } catch (error) {
    if (error instanceof UnreadableText) return { ok: false, message: error.message };
    throw error;
  }
}

/** Members of the object that stands for a number whose digits a double cannot hold: canonical form and source. */
const [exactKey, sourceKey] = ["\u0000number", "\u0000source"];

/** Replaces numbers that a double would change by objects, which compare by value. */
function markExact(value: Json): Json {
  if (isExactNumber(value)) {
    const exact = readDecimal(value.rawJSON);
    return exact === undefined ? Number(value.rawJSON) : { [exactKey]: canonical(exact), [sourceKey]: value.rawJSON };
  }
  if (Array.isArray(value)) return value.map(markExact);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, markExact(each)]));
}

/** Returns the items of a text that is a JSON array, as texts with the digits that were sent; undefined for others. */
export function readJsonItems(text: string): string[] | undefined {
  const read = parse(text.trim(), true);
  if (!read.ok || !Array.isArray(read.value)) return undefined;
  return read.value.map((item: Json) => (typeof item === "string" ? item : writeJson(item)));
}

// TypeScript's library does not have this function of V8 yet.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (source: string) => unknown };

function writeJson(value: Json): string {
  return JSON.stringify(value, (_, each: Json) => (isExact(each) ? rawJSON(String(each[sourceKey])) : each));
}

/** A place where two values differ, such as `$.items[2]`. */
export interface JsonDifference {
  readonly path: string;
  readonly message: string;
}

/** Returns the first difference; the order of members does not count, that of items does. Texts are folded first. */
export function findDifference(
  expected: Json,
  got: Json,
  fold: (text: string) => string,
  path = "$",
): JsonDifference | undefined {
  if (typeof expected === "string" && typeof got === "string" && fold(expected) === fold(got)) return undefined;
  if (expected === got) return undefined;
  if (Array.isArray(expected) && Array.isArray(got)) {
    if (expected.length !== got.length)
      return { path, message: `expected ${expected.length} items, got ${got.length}` };
    return findFirst(expected.keys(), (index) =>
      findDifference(expected[index], got[index], fold, `${path}[${index}]`),
    );
  }
  if (!isObject(expected) || !isObject(got) || exactKey in expected || exactKey in got) {
    const isEqual = isExact(expected) && isExact(got) && expected[exactKey] === got[exactKey];
    return isEqual ? undefined : { path, message: `expected ${short(expected)}, got ${short(got)}` };
  }
  const missing = Object.keys(expected).find((key) => !Object.hasOwn(got, key));
  if (missing !== undefined)
    return { path: `${path}.${missing}`, message: `expected ${short(expected[missing])}, got nothing` };
  const surplus = Object.keys(got).find((key) => !Object.hasOwn(expected, key));
  if (surplus !== undefined)
    return { path: `${path}.${surplus}`, message: `expected nothing, got ${short(got[surplus])}` };
  return findFirst(Object.keys(expected), (key) =>
    findDifference(expected[key] ?? null, got[key] ?? null, fold, `${path}.${key}`),
  );
}

function findFirst<Key>(
  keys: Iterable<Key>,
  find: (key: Key) => JsonDifference | undefined,
): JsonDifference | undefined {
  for (const key of keys) {
    const difference = find(key);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isExact(value: Json): value is { readonly [key: string]: Json } {
  return isObject(value) && exactKey in value;
}

const shortMax = 100;

function short(value: Json | undefined): string {
  if (typeof value === "string") return quote(value);
  const text = writeJson(value ?? null);
  return text.length > shortMax ? `${text.slice(0, shortMax)}…` : text;
}
