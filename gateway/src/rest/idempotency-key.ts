// The header Idempotency-Key: 1-255 visible ASCII characters, bare or quoted (the IETF draft quotes it, most clients do not).

import type { Issue } from "@ems/kit/json/issue";

export const idempotencyKeyName = "idempotency-key";

const pattern = /^[\x21-\x7e]{1,255}$/;

/** The key, or an issue; neither when the header is absent. */
export function readIdempotencyKey(header: string | string[] | undefined): { key?: string; issue?: Issue } {
  if (header === undefined) return {};
  const text = typeof header === "string" ? header : header.join(", ");
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (pattern.test(key)) return { key };
  const message = "Idempotency-Key must be 1-255 visible ASCII characters";
  return { issue: { code: "invalid_string", message, path: ["Idempotency-Key"] } };
}
