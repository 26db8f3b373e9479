// Matches paths with patterns of files: `*`, `?`, `**` and `{a,b}`. Takes time in proportion to the lengths. Pure.

const alternativesMax = 50;

export const isGlob = (pattern: string) => /[*?{]/.test(pattern);

/** Returns true if the whole path matches. */
export function matchesGlob(path: string, pattern: string): boolean {
  return expandBraces(pattern).some((each) => matchesFolders(path.split("/"), each.split("/")));
}

function expandBraces(pattern: string): string[] {
  let patterns = [pattern];
  for (;;) {
    const expanded = patterns.flatMap((each) => {
      const [whole, list = ""] = /\{([^{}]*,[^{}]*)\}/.exec(each) ?? [];
      return whole === undefined ? each : list.split(",").map((choice) => each.replace(whole, () => choice));
    });
    if (expanded.length === patterns.length && expanded.every((each, at) => each === patterns[at])) return patterns;
    patterns = expanded.slice(0, alternativesMax);
  }
}

/** `reached[n]` is true if the first names match the first `n` parts of the pattern. */
function matchesFolders(names: readonly string[], parts: readonly string[]): boolean {
  let reached = [true];
  for (const [at, part] of parts.entries()) if (part === "**" && reached[at] === true) reached[at + 1] = true;
  for (const name of names) {
    const next: boolean[] = [];
    for (const [at, part] of parts.entries()) {
      if (part === "**") next[at + 1] = reached[at + 1] === true || next[at] === true;
      else next[at + 1] = reached[at] === true && matchesName(name, part);
    }
    for (const [at, part] of parts.entries()) if (part === "**" && next[at] === true) next[at + 1] = true;
    reached = next;
  }
  return reached[parts.length] === true;
}

/** A failed match continues at the last `*` only, because an earlier one could not match more. */
function matchesName(name: string, pattern: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    const symbol = pattern[place];
    if (symbol === "*") [star, mark, place] = [place, at, place + 1];
    else if (symbol === "?" || symbol === name[at]) [at, place] = [at + 1, place + 1];
    else if (star >= 0) [mark, at, place] = [mark + 1, mark + 1, star + 1];
    else return false;
  }
  return /^\**$/.test(pattern.slice(place));
}
