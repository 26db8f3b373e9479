// The form of an API key: `ems_`, 32 random bytes in base 62, and a checksum, so that a mistyped or foreign key is
// refused without a look-up and secret scanners can tell ours.

import { createHmac } from "node:crypto";
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

/** What is stored of a key: HMAC-SHA-256 under a pepper that the database does not have. */
export function digestKey(key: string, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

/** What people are shown of a key that they cannot be shown. */
export function displayPrefix(key: string): string {
  return key.slice(0, 8);
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumDigits);
}

function base62(value: bigint, digits: number): string {
  let text = "";
  for (let left = value; text.length < digits; left /= 62n) text = alphabet[Number(left % 62n)] + text;
  return text;
}
