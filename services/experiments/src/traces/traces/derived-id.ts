import { hash } from "node:crypto";

/** A UUID (version 8) hashed from its parts: the same parts always give the same id, which makes retries idempotent. */
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
