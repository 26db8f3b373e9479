// Decodes the bytes of a file to text. Pure.

import { isUtf8 } from "node:buffer";
import { type ReadBudget, type ReadPosition, UnreadableText } from "./budget.ts";
import { makeStorable, type StorableText } from "./storable-text.ts";

/** Decodes text like `decodeBytes`, and makes it storable; replaced characters are counted in the budget. */
export function decodeText(input: Uint8Array | string, budget: ReadBudget): StorableText {
  if (typeof input !== "string") return makeStorable(decodeBytes(input, budget), budget);
  budget.spendBytes(Buffer.byteLength(input));
  return makeStorable(withoutMark(input), budget);
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, which is dropped. Throws `UnreadableText` with byte and line of the
 * first invalid sequence.
 */
export function decodeBytes(input: Uint8Array, budget: ReadBudget): string {
  budget.spendBytes(input.length);
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(swapped(bytes), bytes.length);
  if (isUtf8(bytes)) return withoutMark(bytes.toString());
  throw new UnreadableText("The file is not UTF-8: save it as UTF-8", findInvalid(bytes));
}

const lineFeed = 10;

function decodeUtf16(bytes: Buffer, length = bytes.length): string {
  if (length % 2 === 1) throw new UnreadableText("The file ends within a character of UTF-16", { byte: length - 1 });
  return withoutMark(bytes.toString("utf16le"));
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Finds the first invalid UTF-8 sequence, line by line: no byte of a longer sequence is a line feed. */
function findInvalid(bytes: Buffer): ReadPosition {
  let row = 1;
  for (let start = 0; start < bytes.length; row++) {
    const end = bytes.indexOf(lineFeed, start);
    const line = bytes.subarray(start, end === -1 ? bytes.length : end);
    if (!isUtf8(line)) return { row, byte: start + validLength(line) };
    start += line.length + 1;
  }
  return {};
}

/** Returns the length of the valid part before the first invalid sequence. */
function validLength(bytes: Buffer): number {
  let [begun, wrong] = [0, bytes.length + 1];
  while (wrong - begun > 1) {
    const middle = Math.floor((begun + wrong) / 2);
    if (beginsText(bytes.subarray(0, middle))) begun = middle;
    else wrong = middle;
  }
  // A sequence of up to three bytes may have started before the invalid byte.
  for (let length = begun; length > begun - 4 && length > 0; length--)
    if (isUtf8(bytes.subarray(0, length))) return length;
  return 0;
}

function beginsText(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
