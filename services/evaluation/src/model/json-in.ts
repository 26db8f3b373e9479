// JSON that a model or its provider wrote: bounded before it is parsed, and storable afterwards.

import type { JsonValue } from "@bufbuild/protobuf";
import { makeJsonStorable } from "@ems/kit/readers";

/** Deeper values overflow the stack of recursive readers. No schema of a judge has ten levels. */
const depthMax = 64;
/** Lists, objects, and their members. Schemas allow fewer than 10,000. */
const valuesMax = 100_000;

/** Returns the JSON of a text with storable texts in it; undefined for a text that is none, or exceeds the bounds. */
export function readJson(text: string): JsonValue | undefined {
  if (!isWithinBounds(text)) return undefined;
  try {
    const json: JsonValue = JSON.parse(text);
    return makeJsonStorable(json);
  } catch {
    return undefined;
  }
}

const fence = "```";

/** Returns the JSON of an answer's text, also from a fence of Markdown; undefined without any. */
export function jsonIn(text: string): JsonValue | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(fence) || !trimmed.endsWith(fence)) return readJson(text);
  const firstLine = trimmed.indexOf("\n");
  const language = trimmed.slice(fence.length, firstLine).trim().toLowerCase();
  if (firstLine < 0 || (language !== "" && language !== "json")) return undefined;
  return readJson(trimmed.slice(firstLine, -fence.length));
}

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]');

function isWithinBounds(text: string): boolean {
  let [depth, values] = [0, 1];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      for (index++; index < text.length && text.charCodeAt(index) !== quote; index++)
        if (text.charCodeAt(index) === backslash) index++;
    } else if (code === comma) values++;
    else if (code === openBrace || code === openBracket) {
      values++;
      if (++depth > depthMax) return false;
    } else if (code === closeBrace || code === closeBracket) depth--;
    if (values > valuesMax) return false;
  }
  return true;
}
