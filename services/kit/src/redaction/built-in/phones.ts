// Phone numbers: international ones with `+`, and North American ones with separators. Other forms look like any
// number.

import { findRanges, start } from "./matches.ts";
import type { Range } from "./range.ts";

const international = new RegExp(String.raw`${start}(?<!\+)\+[1-9](?:[ ().\/-]{0,2}\d){7,14}(?!\d)`, "g");
const northAmerican = new RegExp(
  String.raw`${start}(?<![+.-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?![\w-]|\.\d)`,
  "g",
);

export function phones(text: string): Range[] {
  return [
    ...(text.includes("+") ? findRanges(text, international) : []),
    ...(/\d{3}[ .-]\d{4}/.test(text) ? findRanges(text, northAmerican) : []),
  ];
}
