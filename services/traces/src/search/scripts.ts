// Words of scripts that do not separate them by spaces, and letters that have several forms.

/** Scripts whose words are found within any run, by pairs of characters. */
const ideographs = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}]+/u;
/** Scripts whose words only a dictionary can find. */
const unspaced = /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/u;
const special = new RegExp(`(${ideographs.source})|(${unspaced.source})`, "gu");

/** Part of a run of letters and digits, in one kind of script. */
export interface Piece {
  readonly script: "ideographs" | "unspaced" | "spaced";
  readonly text: string;
}

export function toPieces(run: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: text, 1: ideographic, index } of run.matchAll(special)) {
    if (index > end) pieces.push({ script: "spaced", text: run.slice(end, index) });
    pieces.push({ script: ideographic === undefined ? "unspaced" : "ideographs", text });
    end = index + text.length;
  }
  if (end < run.length) pieces.push({ script: "spaced", text: run.slice(end) });
  return pieces;
}

/**
 * Yields the pairs of neighboring characters. A segmenter splits the same characters differently in different
 * surroundings, so the index has pairs, and single characters for searches of one. A search has only its pairs.
 */
export function* bigrams(text: string, { isIndexed }: { readonly isIndexed: boolean }): Generator<string> {
  let previous = "";
  for (const character of text) {
    if (previous !== "") yield previous + character;
    if (isIndexed) yield character;
    previous = character;
  }
  if (!isIndexed && previous === text) yield text;
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Yields the words of a run without spaces, as ICU's dictionaries split it. */
export function* segments(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/**
 * Letters whose upper and lower cases are not pairs: Turkish dotted and dotless i, final sigma, and sharp s. Thai and Lao
 * am, which NFKC splits, are one letter in ICU's dictionaries.
 */
const folded: Readonly<Record<string, string>> = {
  "i\u0307": "i",
  ı: "i",
  ς: "σ",
  ß: "ss",
  "\u0e4d\u0e32": "\u0e33",
  "\u0ecd\u0eb2": "\u0eb3",
};
const foldable = new RegExp(Object.keys(folded).join("|"), "g");

/** Gives letters of a text in lower case one form, so that İstanbul, ISTANBUL and ıstanbul are the same word. */
export function foldCase(text: string): string {
  return text.replace(foldable, (letter) => folded[letter] ?? letter);
}
