// Finds matches of a pattern in a text, with pauses between searches.

import { compile, type Pattern } from "./compile.ts";

/** A pattern, and the part of its matches that is compared. */
export interface Extract extends Pattern {
  /** Capture group to compare. If it is a list, the first group that matched counts. */
  readonly group: number | readonly number[];
}

export interface ExtractLimits {
  /**
   * Limit of a search in the event loop, as instructions of the compiled pattern × characters: about 50 ms for the
   * slowest patterns.
   */
  readonly inlineWorkMax: number;
  /** Limit of a search in a thread, in the same unit. A search above this limit is refused. */
  readonly workMax: number;
  readonly timeoutMs: number;
  readonly matchesMax: number;
}

export interface SearchRequest {
  readonly text: string;
  readonly extract: Extract;
  readonly limits: ExtractLimits;
}

const sliceMs = 20;

/** Returns the texts of the groups; undefined if the searches take too long together. */
export async function findMatches({ text, extract, limits }: SearchRequest): Promise<readonly string[] | undefined> {
  const { group, flags } = extract;
  const groups = typeof group === "number" ? [group] : group;
  const matcher = compile(extract).matcher(text);
  const isAll = flags.includes("g");
  const texts: string[] = [];
  const untilMs = performance.now() + limits.timeoutMs;
  let pauseMs = performance.now() + sliceMs;
  // Each search takes linear time, but all of them together do not, so other work runs in between.
  while (texts.length < limits.matchesMax && matcher.find()) {
    const found = groups.map((each) => matcher.group(each)).find((each) => each !== null);
    if (found !== undefined && found !== null) texts.push(found);
    if (!isAll) break;
    if (performance.now() < pauseMs) continue;
    if (performance.now() > untilMs) return undefined;
    await new Promise((resolve) => setImmediate(resolve));
    pauseMs = performance.now() + sliceMs;
  }
  return texts;
}
