// Finds a pattern's matches with the same library as judges. Loaded when a preview is first displayed.

import { RE2JS } from "re2js";
import { type ExtractDraft, parseGroup } from "./definition-draft.ts";

export type Found =
  | { readonly ok: true; readonly matches: readonly Match[] }
  | { readonly ok: false; readonly message: string };

export interface Match {
  readonly start: number;
  readonly end: number;
  /** Text to compare; undefined if no capture group matched. */
  readonly value: string | undefined;
}

const matchesMax = 100;
/** Maximum number of characters to search, so that the page stays responsive. */
export const previewedMax = 20_000;
const bits: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

export function findMatches({ pattern, flags, group }: ExtractDraft, text: string): Found {
  if (pattern === "") return { ok: true, matches: [] };
  const groups = [parseGroup(group)].flat().map(Number);
  try {
    const compiled = RE2JS.compile(
      pattern,
      [...flags].reduce((all, flag) => all | (bits[flag] ?? 0), 0),
    );
    if (groups.some((each) => !(each <= compiled.groupCount())))
      return { ok: false, message: `The pattern has the groups 0 to ${compiled.groupCount()}` };
    const matcher = compiled.matcher(text.slice(0, previewedMax));
    const matches: Match[] = [];
    while (matches.length < matchesMax && matcher.find()) {
      const value = groups.map((each) => matcher.group(each)).find((each) => each !== null);
      matches.push({ start: matcher.start(), end: matcher.end(), value: value ?? undefined });
      if (!flags.includes("g")) break;
    }
    return { ok: true, matches };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
