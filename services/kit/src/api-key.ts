// Format of API keys: `ems_`, 32 random bytes in base 62, and a checksum. The gateway rejects mistyped keys without a
// look-up, and secret scanners recognize the format.

import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "ems_";
const secretDigits = 43;
const checksumDigits = 6;
const form = /^ems_[0-9A-Za-z]{49}$/;

export const keyBytes = 32;

/** Formats 32 random bytes as a key. */
export function formKey(random: Buffer): string {
  const body = prefix + base62(BigInt(`0x${random.toString("hex")}`), secretDigits);
  return body + checksum(body);
}

/** Returns true if format and checksum are valid. */
export function isKey(text: string): boolean {
  return form.test(text) && text.endsWith(checksum(text.slice(0, -checksumDigits)));
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits);
}

function base62(value: bigint, digits: number): string {
  let text = "";
  for (let rest = value; text.length < digits; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
