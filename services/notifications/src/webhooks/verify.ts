// Verification: whether what a receiver got is what was sent to it.

import { timingSafeEqual } from "node:crypto";
import type { JsonValue } from "@bufbuild/protobuf";
import { signatureToleranceMs } from "@ems/proto/limits";
import canonicalize from "canonicalize";
import { sign } from "../deliveries/index.ts";

/** The time in the header `webhook-timestamp`; undefined when it is malformed or not near enough to now. */
export function parseTimestamp(timestamp: string, now: Date): Date | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) return undefined;
  const timeMs = Number(timestamp) * 1000;
  return Math.abs(now.getTime() - timeMs) <= signatureToleranceMs ? new Date(timeMs) : undefined;
}

/** The JSON of a body given as text or as parsed JSON; undefined when the text is no JSON. */
export function parseBody(body: JsonValue): JsonValue | undefined {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The event's id, if the body has one. */
export function eventIdOf(body: JsonValue | undefined): string | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { id } = body;
  return typeof id === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined;
}

/** Whether both are the same in the canonical form of RFC 8785. */
export function isSamePayload(received: JsonValue, payload: string): boolean {
  return canonicalize(received) === canonicalize(JSON.parse(payload));
}

export interface SignedContent {
  readonly id: string;
  /** As in the header. */
  readonly timestamp: string;
  /** As it was sent. */
  readonly payload: string;
}

/** Whether one of the space-separated signatures is by one of the secrets, in constant time. */
export function isSignedBy(
  secrets: readonly string[],
  signatures: string,
  { id, timestamp, payload }: SignedContent,
): boolean {
  const received = signatures.split(" ").map((signature) => Buffer.from(signature));
  const valid = secrets.map((secret) => Buffer.from(sign(secret, id, timestamp, payload)));
  const matches = valid.flatMap((one) =>
    received.map((other) => other.length === one.length && timingSafeEqual(other, one)),
  );
  return matches.includes(true);
}
