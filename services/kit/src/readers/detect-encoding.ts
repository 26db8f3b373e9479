// Text in an encoding that the file does not state.

import { isUtf8 } from "node:buffer";
import { analyse } from "chardet";
import { type ReadBudget, UnreadableText } from "./budget.ts";
import { decodeBytes } from "./decode-text.ts";
import { makeStorable, type StorableText } from "./storable-text.ts";

export interface DetectedText {
  readonly text: StorableText;
  /** Name of the encoding in the WHATWG Encoding Standard, such as `utf-8` or `windows-1252`. */
  readonly encoding: string;
}

/** Bytes that the detection reads; more do not change its result. */
const sampleBytesMax = 64 * 1024;
/** Bytes of UTF-16 that are looked at. A text in Latin letters has a zero in nearly every character. */
const zerosBytesMax = 4 * 1024;
/** Bytes below which zeros do not suggest UTF-16. */
const shortestUtf16 = 16;
const escapeByte = 0x1b;
const unknown = "The encoding of the file is not known: save it as UTF-8";

/**
 * Decodes UTF-8, UTF-16, or the encoding that `declared` names or the bytes suggest. The first one that fits all bytes is
 * used. Throws `UnreadableText` if none does.
 */
export function detectText(input: Uint8Array, budget: ReadBudget, declared?: string): DetectedText {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const encoding = findMark(bytes) ?? findUtf16(bytes);
  if (encoding === undefined && isUtf8(bytes) && !bytes.includes(escapeByte))
    return { text: makeStorable(decodeBytes(input, budget), budget), encoding: "utf-8" };
  budget.spendBytes(bytes.length);
  for (const name of encoding === undefined ? candidates(bytes, declared) : [encoding]) {
    const found = tryDecode(bytes, name);
    if (found !== undefined) return { ...found, text: makeStorable(found.text, budget) };
  }
  throw new UnreadableText(unknown);
}

function findMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Finds UTF-16 without a byte order mark: zeros are in every other byte. */
function findUtf16(bytes: Buffer): string | undefined {
  const length = Math.min(bytes.length - (bytes.length % 2), zerosBytesMax);
  if (length < shortestUtf16) return undefined;
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  const many = length / 2 / 3;
  if (odd > many && even === 0) return "utf-16le";
  return even > many && odd === 0 ? "utf-16be" : undefined;
}

function* candidates(bytes: Buffer, declared: string | undefined): Generator<string> {
  // Other encodings do not have zeros, but files that are no texts do.
  if (bytes.includes(0)) return;
  if (declared !== undefined) yield declared;
  const first = bytes.findIndex((byte) => byte > 0x7f || byte === escapeByte);
  const start = Math.max(0, first - 1024);
  for (const { name } of analyse(bytes.subarray(start, start + sampleBytesMax))) yield name;
}

/** Control characters that no text has: the encoding is another one, or the file is no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const isUnlikely = /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]/;

function tryDecode(bytes: Buffer, name: string): { text: string; encoding: string } | undefined {
  try {
    const decoder = new TextDecoder(name, { fatal: true });
    const text = decoder.decode(bytes);
    return isUnlikely.test(text) ? undefined : { text, encoding: decoder.encoding };
  } catch {
    return undefined;
  }
}
