// Items of a list as models write it: JSON, fenced JSON, lines with and without marks, or one line with commas.

import { createFold, fencedTexts, fold, readJsonItems } from "@ems/assertions";

/** Bullets, numbers and lettered marks before the items of a list. White space must follow, so that -5 is a number. */
const mark =
  /^(?:[-*+\u2022\u2023\u25e6\u25aa\u25cf\u00b7\u2013\u2014]|\(?\d{1,4}[.)]|\(?[A-Za-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?/;

export interface ListOptions {
  /** Expected items, which decide whether marks and commas are part of an item. */
  readonly expected: readonly string[];
  /** True to keep marks and white space, and to split no line at commas. */
  readonly exact: boolean;
  /** True if one line may have several items, separated by commas. */
  readonly splitsCommas: boolean;
}

/** Lists the items of a text, without empty ones. */
export function listItems(text: string, options: ListOptions): string[] {
  const items = jsonItems(text) ?? lineItems(text, options);
  return items.filter((item) => item.trim() !== "");
}

/** Returns expected items in the form in which they are compared, without empty ones. */
export function foldItems(items: readonly string[], exact: boolean): string[] {
  return items.map(createFold({ exact })).filter((item) => item.trim() !== "");
}

/** Returns the items of a JSON array: the whole text, or the first fenced block that is one. */
function jsonItems(text: string): string[] | undefined {
  const plain = text.replaceAll("\r\n", "\n").trim();
  const candidates = plain.startsWith("[") ? [plain] : fencedTexts(plain);
  for (const candidate of candidates) {
    const items = readJsonItems(candidate);
    if (items !== undefined) return items;
  }
  return undefined;
}

function lineItems(text: string, { expected, exact, splitsCommas }: ListOptions): string[] {
  if (exact) return splitLines(text);
  const expectedItems = new Set(expected.map(fold));
  // Marks that are part of an expected item, such as "1. FC Union" or "11. Jahrhundert", are none.
  const marked = [...expectedItems].filter((item) => mark.test(item));
  const isMarked = (line: string) => !marked.some((item) => line.startsWith(item));
  const lines = splitLines(withoutFence(fold(text))).map((line) => line.trim());
  const items = lines.map((line) => (isMarked(line) ? line.replace(mark, "") : line)).filter((item) => item !== "");
  const [only] = items;
  const isOneLine = splitsCommas && items.length === 1 && only !== undefined && !expectedItems.has(only);
  return isOneLine ? splitCommas(only, expected) : items;
}

const splitLines = (text: string) => text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);

/** Returns the content of the text's only fenced block, if there is nothing else. */
function withoutFence(text: string): string {
  const [block, second] = fencedTexts(text);
  const isWhole = block !== undefined && second === undefined && /^[`~]{3}/.test(text) && /[`~]{3}$/.test(text);
  return isWhole ? block : text;
}

/** Separators of items in several scripts. */
const commas = [",", "，", "、", "،"];

/** Splits at the first kind of comma that the line has, unless an expected item has it. */
function splitCommas(line: string, expected: readonly string[]): string[] {
  const comma = commas.find((each) => line.includes(each));
  return comma === undefined || expected.some((item) => item.includes(comma)) ? [line] : line.split(comma);
}
