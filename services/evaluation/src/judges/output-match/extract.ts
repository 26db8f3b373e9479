// What is compared of an answer: matches of a pattern, in RE2's semantics.

import { RE2JS } from "re2js";
import type { Extract } from "../judge.ts";

const flagBits: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

export type Extracted =
  | { readonly ok: true; readonly texts: readonly string[] }
  /** `pattern_timeout: …` */
  | { readonly ok: false; readonly message: string };

export interface ExtractLimits {
  /** Instructions of the compiled pattern × characters: what one search may take without a pause. */
  readonly workMax: number;
  readonly timeoutMs: number;
  readonly matchesMax: number;
}

export const extractLimits: ExtractLimits = { workMax: 10_000_000, timeoutMs: 2_000, matchesMax: 10_000 };

/** The first match's group, or with flag `g` that of every match. A match without one of the groups gives nothing. */
export async function extracted(
  text: string,
  { pattern, flags, group }: Extract,
  { workMax, timeoutMs, matchesMax } = extractLimits,
): Promise<Extracted> {
  const bits = [...flags].reduce((all, flag) => all | (flagBits[flag] ?? 0), 0);
  const compiled = RE2JS.compile(pattern, bits);
  if (compiled.programSize() * text.length > workMax) return tooSlow;
  const groups = typeof group === "number" ? [group] : group;
  const matcher = compiled.matcher(text);
  const isAll = flags.includes("g");
  const texts: string[] = [];
  const untilMs = performance.now() + timeoutMs;
  let pauseMs = performance.now() + sliceMs;
  // Every search is linear, but all of them together are not: the others have their turn in between.
  while (texts.length < matchesMax && matcher.find()) {
    const found = groups.map((each) => matcher.group(each)).find((each) => each !== null);
    if (found !== undefined && found !== null) texts.push(found);
    if (!isAll) break;
    if (performance.now() < pauseMs) continue;
    if (performance.now() > untilMs) return tooSlow;
    await new Promise((resolve) => setImmediate(resolve));
    pauseMs = performance.now() + sliceMs;
  }
  return { ok: true, texts };
}

const sliceMs = 20;

const tooSlow: Extracted = {
  ok: false,
  message: "pattern_timeout: The pattern takes too long on an answer of this length",
};
