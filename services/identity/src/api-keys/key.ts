// What is kept of an API key (its form: kit's api-key.ts).

import { createHmac } from "node:crypto";

/** What is stored of a key: HMAC-SHA-256 under a pepper that the database does not have. */
export function digestKey(key: string, pepper: string): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

/** What people are shown of a key that they cannot be shown. */
export function displayPrefix(key: string): string {
  return key.slice(0, 8);
}
