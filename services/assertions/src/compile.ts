// Compiles patterns in RE2's semantics, and explains what is wrong with them.

import { RE2JS } from "re2js";

/** A regular expression and its flags. */
export interface Pattern {
  readonly pattern: string;
  readonly flags: string;
}

const flagBits: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** Compiles the pattern. Flag `g` is for callers, and RE2 reads all texts as Unicode, as flag `u` requires. */
export function compile({ pattern, flags }: Pattern): RE2JS {
  const bits = [...flags].reduce((all, flag) => all | (flagBits[flag] ?? 0), 0);
  return RE2JS.compile(pattern, bits);
}

/** Error in a pattern, or in its flags. */
export interface PatternFault {
  readonly field: "pattern" | "flags";
  readonly message: string;
}

/** Result of the check of a pattern: its error, or its number of capture groups. */
export type PatternCheck = { readonly fault: PatternFault } | { readonly fault?: undefined; readonly groups: number };

/**
 * Checks a pattern that is to be saved. With flag `u`, classes that know only ASCII letters are refused: they would not
 * match the letters that the flag is for.
 */
export function checkPattern(source: Pattern): PatternCheck {
  const { pattern, flags } = source;
  if (new Set(flags).size < flags.length)
    return { fault: { field: "flags", message: "Each flag may occur only once" } };
  const [name] = flags.includes("u") ? findAsciiClasses(pattern) : [];
  try {
    const groups = compile(source).groupCount();
    if (name === undefined) return { groups };
    const message = `${name} is ASCII, and does not know letters such as Ä: ${advice[name]}`;
    return { fault: { field: "pattern", message } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    return { fault: { field: "pattern", message: `Not a pattern in RE2's syntax: ${reason}` } };
  }
}

const advice: Readonly<Record<string, string>> = {
  "\\w": "write [\\p{L}\\p{M}\\p{N}_], or \\p{L} within a class, or omit flag u",
  "\\W": "write [^\\p{L}\\p{M}\\p{N}_], or omit flag u",
  "\\b": "write what is before or after the word, such as (?:^|\\s), or omit flag u",
  "\\B": "write the letter before or after it, such as \\p{L}, or omit flag u",
};

/** Lists the classes in the pattern, outside of quoted text, that know only ASCII letters. */
export function findAsciiClasses(pattern: string): string[] {
  const found: string[] = [];
  for (const { 0: part } of pattern.matchAll(/\\Q.*?(?:\\E|$)|\\./gs)) {
    if (Object.hasOwn(advice, part)) found.push(part);
  }
  return found;
}
