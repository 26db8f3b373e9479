// The values of a JSON text in place, so that all that is between them stays as it was written.

import { type JsonTextLimits, tryReadJsonText } from "../readers/index.ts";

/** A literal is a single value, and as long as the text that it is in. */
const literalLimits: JsonTextLimits = { values: Infinity, depth: Infinity, bytes: Infinity };

export interface JsonToken {
  readonly start: number;
  readonly end: number;
  /** As written, of a number; decoded, of a text. */
  readonly value: string;
}

/** Texts and numbers that are values, not names, of a valid JSON text. */
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

/** After the closing quote: the next one that an even number of backslashes precedes. */
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

/** What may be JSON with texts in it. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text);
}
