// Texts as judges and people read them. Pure.

import type { JsonValue } from "@bufbuild/protobuf";

const promptLengthMax = 50_000;

/** A prompt as the question that a judge reads: text, or the JSON of an object. */
export function questionOf(prompt: JsonValue): string {
  return truncateMiddle(typeof prompt === "string" ? prompt : JSON.stringify(prompt), promptLengthMax);
}

/** At most about `max` characters: what is longer loses its middle, and says so. */
export function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  // Half a surrogate pair would be no character.
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[... ${text.length - head.length - tail.length} characters left out ...]\n${tail}`;
}
