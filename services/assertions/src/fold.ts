// Folds texts before they are compared, so that differences that readers cannot see do not count.

import { normalized } from "@ems/kit/normalize";

/** Settings of a comparison of texts. */
export interface TextSettings {
  /** True to compare the texts byte by byte. */
  readonly exact?: boolean | undefined;
  /** True to ignore the case of letters. */
  readonly ignoreCase?: boolean | undefined;
}

/**
 * Returns the text in the form that is compared: characters composed (NFC), line ends as LF, every kind of space
 * (no-break spaces, too) as U+0020, and without a byte order mark and white space at both ends.
 */
export function fold(text: string): string {
  return normalized(unifySpaces(text)).trim();
}

/** Like `fold`, but keeps white space at both ends. For parts of texts, and for texts that a pattern searches. */
export function foldInside(text: string): string {
  return normalized(unifySpaces(text.replace(/^\uFEFF/, "")));
}

/** Returns a function that brings texts into the form that is compared. */
export function createFold({ exact = false, ignoreCase = false }: TextSettings): (text: string) => string {
  const unify = exact ? (text: string) => text : fold;
  return ignoreCase ? (text) => foldCase(unify(text)) : unify;
}

function unifySpaces(text: string): string {
  return text.replace(/\r\n|[\r\u0085\u2028\u2029]/g, "\n").replace(/\p{Zs}/gu, " ");
}

/** Folds case by way of capitals, because only these unite ß with ss. A sigma at the end of a word is a sigma. */
function foldCase(text: string): string {
  return normalized(text.toUpperCase().toLowerCase().replaceAll("ς", "σ"));
}
