// Finds the values of a JSON text in place, so that everything between them stays unchanged.

import { type JsonTextLimits, tryReadJsonText } from "../readers/index.ts";

/** No limits for a literal: it is a single value, and its own length bounds it. */
const literalLimits: JsonTextLimits = { values: Infinity, depth: Infinity, bytes: Infinity };

export interface JsonToken {
  readonly start: number;
  readonly end: number;
  /** A number in its original spelling, or a text after decoding. */
  readonly value: string;
}

/** Yields texts and numbers of a valid JSON text that are values, not names. */
export function* jsonTokens(json: string): Generator<JsonToken> {
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    yield* numbers(json, at, quote === -1 ? json.length : quote);
    if (quote === -1) return;
    const end = endOfText(json, quote);
    at = end;
    if (isName(json, end)) continue;
    const literal = json.slice(quote, end);
    const value = literal.includes("\\") ? tryReadJsonText(literal, literalLimits) : literal.slice(1, -1);
    if (typeof value === "string") yield { start: quote, end, value };
  }
}

function* numbers(json: string, from: number, to: number): Generator<JsonToken> {
  for (const { index, 0: value } of json.slice(from, to).matchAll(/-?\d[\d.eE+-]*/g))
    yield { start: from + index, end: from + index + value.length, value };
}

/** Returns the index after the closing quote: the next one with an even number of backslashes before it. */
function endOfText(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charAt(end - 1 - backslashes) === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}

function isName(json: string, end: number): boolean {
  let at = end;
  while (/\s/.test(json.charAt(at))) at++;
  return json.charAt(at) === ":";
}

/** Returns true for text that may be JSON that contains strings. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text);
}
