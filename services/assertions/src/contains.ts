// Searches a text for another one, in time linear in both (Knuth-Morris-Pratt).

/** Maximum product of both lengths for which String.includes is fast even in the worst case. */
const productMax = 4_000_000;

export function contains(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  if (text.length * part.length <= productMax) return text.includes(part);
  const borders = findBorders(part);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== letter) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === letter) matched++;
    if (matched === part.length) return true;
  }
  return false;
}

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
