// Searches a text for another one, in time linear in both (Knuth-Morris-Pratt).

/** Maximum product of both lengths for which String.indexOf is fast even in the worst case. */
const productMax = 4_000_000;

/** Returns the index of the first occurrence at or after `from`; -1 if there is none. */
export function indexOf(text: string, part: string, from = 0): number {
  if (part.length > text.length - from) return -1;
  if ((text.length - from) * part.length <= productMax) return text.indexOf(part, from);
  const borders = findBorders(part);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== letter) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === letter) matched++;
    if (matched === part.length) return at - matched + 1;
  }
  return -1;
}

export const contains = (text: string, part: string): boolean => indexOf(text, part) >= 0;

/** Computes, for each prefix of the text, the length of its longest proper prefix that is also its suffix. */
function findBorders(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let matched = 0;
  for (let at = 1; at < part.length; at++) {
    const letter = part.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== letter) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === letter) matched++;
    borders[at] = matched;
  }
  return borders;
}
