// Texts in the form that judges and people read. Pure functions.

import type { JsonValue } from "@bufbuild/protobuf";

const promptLengthMax = 50_000;

/** Converts a prompt to the question that a judge reads: text, or the JSON of an object. */
export function toQuestion(prompt: JsonValue): string {
  return truncateMiddle(typeof prompt === "string" ? prompt : JSON.stringify(prompt), promptLengthMax);
}

/** Limits a text to about `max` characters: replaces the middle with a note. */
export function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  // Do not split a surrogate pair.
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out ...]\n${tail}`;
}
