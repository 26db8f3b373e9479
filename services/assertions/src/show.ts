// Shows texts in reasons, so that readers see what differs: invisible characters, and those that look alike, are written as code points.

import { normalized } from "@ems/kit/normalize";

const quotedMax = 100;
/** Characters that a long text's excerpt has before its first difference. */
const beforeMax = 30;
const namedMax = 5;
/** Maximum code points of one character with its marks. */
const clusterMax = 4;

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
const printable = /^[!-~]*$/;

/** Quotes the beginning of a text. */
export function quote(text: string): string {
  return `"${formatVisible(text.slice(0, quotedMax))}${text.length > quotedMax ? "…" : ""}"`;
}

/** Quotes the first texts of a list, such as `"a" or "b"`. */
export function quoteList(texts: readonly string[], conjunction: "and" | "or"): string {
  const named = texts.slice(0, namedMax).map(quote);
  const more = texts.length > namedMax ? [`${texts.length - namedMax} more`] : [];
  const all = [...named, ...more];
  return all.length < 2 ? (all[0] ?? "nothing") : `${all.slice(0, -1).join(", ")} ${conjunction} ${all.at(-1)}`;
}

/** Says how a text differs from the expected one, such as `Expected "Paris", got "Rome"`. */
export function explainDifference(expected: string, got: string): string {
  const index = firstDifference(expected, got);
  const [missing, found] = [clusterAt(expected, index), clusterAt(got, index)];
  const isMarked = looksAlike(expected, got, index, missing, found);
  const quoted = (text: string, cluster: string) => quoteAround(text, index, isMarked ? cluster.length : 0);
  const text = `Expected ${quoted(expected, missing)}, got ${quoted(got, found)}`;
  if (!isMarked && printable.test(missing + found) && Math.max(expected.length, got.length) <= quotedMax) return text;
  const position = [...expected.slice(0, index)].length + 1;
  return `${text}; the first difference is character ${position}: ${describe(missing)} and ${describe(found)}`;
}

/** Says how a text differs from all of several expected ones. */
export function explainDifferences(expected: readonly string[], got: string): string {
  const [first = "", second] = expected;
  if (second === undefined) return explainDifference(first, got);
  const alike = expected.slice(0, namedMax).find((each) => {
    const index = firstDifference(each, got);
    return looksAlike(each, got, index, clusterAt(each, index), clusterAt(got, index));
  });
  return alike === undefined
    ? `Expected ${quoteList(expected, "or")}, got ${quote(got)}`
    : `${explainDifference(alike, got)} (one of ${expected.length} expected texts)`;
}

/** Returns the index of the first character that differs, with the marks that follow it. */
function firstDifference(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let index = 0;
  while (index < end && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  const isPart = (text: string) => /^[\uDC00-\uDFFF\p{M}\u200D]/u.test(characterAt(text, index));
  for (let steps = 0; index > 0 && steps < clusterMax && (isPart(a) || isPart(b)); steps++) index--;
  return index;
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** Returns a character with its marks; empty at the end of the text. */
function clusterAt(text: string, index: number): string {
  const [first = "", ...rest] = [...text.slice(index, index + 2 * clusterMax)];
  const end = rest.findIndex((each) => !/^[\p{M}\p{Cf}]/u.test(each));
  return [first, ...rest.slice(0, end < 0 ? clusterMax : Math.min(end, clusterMax))].join("");
}

/** Returns true if readers may take the texts for equal: both have the same plain form, or letters of two scripts. */
function looksAlike(a: string, b: string, index: number, missing: string, found: string): boolean {
  if (scriptName(missing) !== scriptName(found)) return true;
  const plain = (text: string) =>
    normalized(text.slice(Math.max(0, index - beforeMax), index + quotedMax), "NFKD")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .replace(/[\s\u2800]+/g, " ")
      .trim();
  return plain(a) === plain(b);
}

/** Returns the script of a letter that letters of other scripts resemble. */
function scriptName(text: string): string {
  if (/^\p{Script=Cyrillic}/u.test(text)) return "Cyrillic";
  if (/^\p{Script=Greek}/u.test(text)) return "Greek";
  return /^[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u.test(text) ? "other" : "";
}

function quoteAround(text: string, index: number, markedLength: number): string {
  const start = text.length <= quotedMax || index < quotedMax / 2 ? 0 : index - beforeMax;
  const [before, marked, after] = [
    text.slice(start, index),
    text.slice(index, index + markedLength),
    text.slice(index + markedLength, start + quotedMax),
  ];
  const isCut = text.length > start + quotedMax;
  return `"${start > 0 ? "…" : ""}${formatVisible(before)}${codePoints(marked)}${formatVisible(after)}${isCut ? "…" : ""}"`;
}

function describe(cluster: string): string {
  if (cluster === "") return "the end";
  const codes = codePoints(cluster, " ", false);
  return invisible.test(cluster) || /^\p{M}/u.test(cluster) ? codes : `"${cluster}" (${codes})`;
}

function formatVisible(text: string): string {
  let out = "";
  for (const character of text) out += invisible.test(character) ? codePoints(character) : escaped(character);
  return out;
}

const escaped = (character: string) => (character === '"' || character === "\\" ? `\\${character}` : character);

function codePoints(text: string, separator = "", isBracketed = true): string {
  const names = [...text].map((character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return isBracketed ? `<U+${code}>` : `U+${code}`;
  });
  return names.join(separator);
}
