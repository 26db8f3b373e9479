// Card numbers: digits in a network's range and length with a valid Luhn checksum, together or in groups.

import type { Range } from "./range.ts";

const digitsMax = 19;
const runs = /\d[\d -]{11,}\d/g;

export function creditCards(text: string): Range[] {
  if (!/\d{4}/.test(text)) return [];
  const ranges: Range[] = [];
  for (const { index, 0: run } of text.matchAll(runs)) {
    for (let at = 0; at < run.length; at++) {
      if (!isDigit(run, at) || isDigit(run, at - 1)) continue;
      const length = isOpen(text, index + at) ? cardLength(run, at) : 0;
      if (length === 0 || /^(?:[A-Za-z_]|\.\d)/.test(text.slice(index + at + length, index + at + length + 2)))
        continue;
      ranges.push([index + at, index + at + length]);
      at += length;
    }
  }
  return ranges;
}

/** Returns true if the digits do not continue a word or number. */
function isOpen(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  return !/[A-Za-z_]$|\d\.$/.test(before) || /\\[nrt]$/.test(before);
}

/**
 * Length of the longest card number, with separators, that begins at `from` and ends with a group; 0 if there is none.
 */
function cardLength(run: string, from: number): number {
  let digits = "";
  let found = 0;
  for (let at = from; at < run.length && digits.length <= digitsMax; at++) {
    if (!isDigit(run, at)) {
      if (!isDigit(run, at + 1)) break;
      continue;
    }
    digits += run.charAt(at);
    if (!isDigit(run, at + 1) && digits.length >= 13 && isCard(digits)) found = at + 1 - from;
  }
  return found;
}

const networks = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d{4}|222[1-9]\d\d|22[3-9]\d{3}|2[3-6]\d{4}|27[01]\d{3}|2720\d\d)\d{10}$/,
  /^3[47]\d{13}$/,
  /^(?:6011|64[4-9]\d|65\d\d|62\d\d|35(?:2[89]|[3-8]\d))\d{12,15}$/,
  /^3(?:0[0-5]|[689]\d)\d{11}$/,
];

function isCard(digits: string): boolean {
  if (!networks.some((network) => network.test(digits))) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits.charAt(digits.length - 1 - place));
    const weighted = place % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}
