import { createHmac } from "node:crypto";

/** Returns the stored form of a key: HMAC-SHA-256 under a pepper that is not in the database. */
export function digestKey(key: string, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

/** Returns the start of a key, by which people recognize it. */
export function displayPrefix(key: string): string {
  return key.slice(0, 8);
}
