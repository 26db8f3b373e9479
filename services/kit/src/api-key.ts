// The form of an API key: `ems_`, 32 random bytes in base 62, and a checksum. Identity makes keys; the gateway refuses what
// is none (mistyped, foreign) without a look-up, and secret scanners can tell ours.

import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "ems_";
const secretDigits = 43;
const checksumDigits = 6;
const form = /^ems_[0-9A-Za-z]{49}$/;

/** How many random bytes a key holds. */
export const keyBytes = 32;

/** The key that those 32 bytes make. */
export function formKey(random: Buffer): string {
  const body = prefix + base62(BigInt(`0x${random.toString("hex")}`), secretDigits);
  return body + checksum(body);
}

/** Whether a text can be a key of ours: shape and checksum are right. */
export function isKey(text: string): boolean {
  return form.test(text) && text.endsWith(checksum(text.slice(0, -checksumDigits)));
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits);
}

function base62(value: bigint, digits: number): string {
  let text = "";
  for (let left = value; text.length < digits; left /= 62n) text = alphabet[Number(left % 62n)] + text;
  return text;
}
