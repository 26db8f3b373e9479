// Idempotency key of a request, over HTTP and between services: 1-255 visible ASCII characters, bare or quoted (the
// IETF draft quotes it, most clients do not).

import { type ConnectError, invalidHeader } from "../errors.ts";
import type { Issue } from "../json/issue.ts";

export const idempotencyKeyHeader = "idempotency-key";
/** Header that is set on a replayed response. */
export const replayedHeader = "idempotency-replayed";

const pattern = /^[\x21-\x7e]{1,255}$/;
const message = "Idempotency-Key must be 1-255 visible ASCII characters";

/** Parses the key; returns neither key nor issue if the header is absent. */
export function readIdempotencyKey(header: string | string[] | undefined): { key?: string; issue?: Issue } {
  if (header === undefined) return {};
  const text = typeof header === "string" ? header : header.join(", ");
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (pattern.test(key)) return { key };
  return { issue: { code: "invalid_string", message, path: ["Idempotency-Key"] } };
}

/** Formats the header for `key`, including quotes in the key itself. */
export function writeIdempotencyKey(key: string): string {
  return `"${key}"`;
}

/** Error for a call whose idempotency key header is malformed. */
export function invalidIdempotencyKey(): ConnectError {
  return invalidHeader(idempotencyKeyHeader, message, "IDEMPOTENCY_KEY_INVALID");
}
