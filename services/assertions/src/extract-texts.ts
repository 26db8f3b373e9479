// Extracts the texts to compare: matches of a pattern in an answer, found with RE2.

import { normalized } from "@ems/kit/normalize";
import { compile } from "./compile.ts";
import { foldInside } from "./fold.ts";
import { type Extract, type ExtractLimits, findMatches } from "./matches.ts";
import { runThread } from "./run-thread.ts";

export type Extracted =
  | { readonly ok: true; readonly texts: readonly string[] }
  /** Message that begins with the code `pattern_timeout: `. */
  | { readonly ok: false; readonly message: string };

export const extractLimits: ExtractLimits = {
  inlineWorkMax: 500_000,
  workMax: 10_000_000,
  timeoutMs: 2_000,
  matchesMax: 10_000,
};

/**
 * Returns the group of the first match or, with flag `g`, of every match. A match without any of the groups adds
 * nothing.
 */
export async function extractTexts(text: string, extract: Extract, limits = extractLimits): Promise<Extracted> {
  const work = compile(extract).programSize() * text.length;
  if (work > limits.workMax) return tooSlow;
  const request = { text, extract, limits };
  const texts =
    work > limits.inlineWorkMax
      ? await runThread<readonly string[]>({ kind: "search", request }, limits.timeoutMs)
      : await findMatches(request);
  return texts === undefined ? tooSlow : { ok: true, texts };
}

/**
 * Like `extractTexts`, in the folded text. A pattern that finds nothing there searches the original text, because it
 * may name a character that folding replaces, such as a carriage return.
 */
export async function extractFolded(text: string, extract: Extract, exact = false): Promise<Extracted> {
  if (exact) return extractTexts(text, extract);
  const folded = foldInside(text);
  const found = await extractTexts(folded, { ...extract, pattern: normalized(extract.pattern) });
  const isSearched = !found.ok || found.texts.length > 0 || folded === text;
  return isSearched ? found : extractTexts(text, extract);
}

const tooSlow: Extracted = {
  ok: false,
  message: "pattern_timeout: The pattern takes too long on an answer of this length",
};
