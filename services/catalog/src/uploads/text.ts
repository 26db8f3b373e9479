import { Refusal } from "./refusal.ts";

/** A text in UTF-8, or in UTF-16 with a byte order mark. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Not of the encoding.
  }
  throw new Refusal("The file is not text in UTF-8");
}
