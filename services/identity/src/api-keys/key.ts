import { createHmac } from "node:crypto";

/** The stored form of a key: HMAC-SHA-256 under a pepper that the database does not have. */
export function digestKey(key: string, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

/** The start of a key, by which people recognise it. */
export function displayPrefix(key: string): string {
  return key.slice(0, 8);
}
