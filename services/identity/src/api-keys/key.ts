import { createHmac } from "node:crypto";

/** Returns the stored form of a key: HMAC-SHA-256 with a pepper that is not in the database. */
export function digestKey(key: string, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

/** Returns the first characters of a key, so that people can recognize the key. */
export function displayPrefix(key: string): string {
  return key.slice(0, 8);
}
