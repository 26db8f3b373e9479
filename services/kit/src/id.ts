// Ids and randomness, injected so that tests can predict them.

import { createHash, getRandomValues, hash, randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { systemClock } from "./clock.ts";

/**
 * Creates a resource id: a UUIDv7, monotonic within the process even within a millisecond (Node's are not), so that
 * index pages fill in order.
 */
export type NewId = () => string;

export const newId: NewId = () => {
  const random = randomOfOne();
  const now = systemClock.nowMs();
  if (now > msecs) {
    msecs = now;
    // 31 bits: leaves room to count upwards within the millisecond.
    seq = random.readUInt32LE() >>> 1;
  } else seq++;
  return v7({ random, msecs, seq });
};

/** Derives an id from a time and a name. Every process derives the same one, so only one item is created. */
export function idAt(time: Date, name: string): string {
  const digest = createHash("sha256").update(`${name} ${time.getTime()}`).digest();
  return v7({ msecs: time.getTime(), seq: digest.readUInt32LE(16), random: digest.subarray(0, 16) });
}

/** Hashes parts to a UUID (version 8): equal parts always give the same id, so that a retry changes nothing. */
export function derivedId(...parts: readonly (string | number)[]): string {
  const digits = hash("sha256", JSON.stringify(parts));
  const variant = "89ab".charAt(Number.parseInt(digits.charAt(16), 16) % 4);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

let msecs = 0;
let seq = 0;

/** Random bytes for many ids: reading them for each id would dominate the time. */
const entropy = Buffer.alloc(256 * 16);
let used = entropy.length;

function randomOfOne(): Buffer {
  if (used === entropy.length) {
    getRandomValues(entropy);
    used = 0;
  }
  used += 16;
  return entropy.subarray(used - 16, used);
}

/** Returns `size` cryptographically random bytes. */
export type Random = (size: number) => Buffer;

export const secureRandom: Random = randomBytes;

/** Returns the distinct ids in order, in lower case like stored ids. */
export function distinctIds(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
