// Verification: compares a received body and signature with the delivery that had been sent.

import { timingSafeEqual } from "node:crypto";
import type { JsonValue } from "@bufbuild/protobuf";
import { parseJson } from "@ems/kit/json/exact-number";
import { readTimestamp } from "@ems/kit/json/timestamp";
import { signatureToleranceMs } from "@ems/proto/limits";
import canonicalize from "canonicalize";
import { type DeliveryRow, sign } from "../deliveries/index.ts";

/** Maximum of a timestamp in seconds. A larger number would be millennia ahead, so it is in milliseconds. */
const secondsMax = 99_999_999_999;

/**
 * Converts a timestamp to Unix seconds. It may be in seconds or milliseconds, as number or text, or in ISO 8601;
 * undefined for anything else.
 */
export function parseTimestamp(timestamp: string | number): number | undefined {
  if (typeof timestamp === "string" && !/^\d{1,15}$/.test(timestamp)) {
    const instant = readTimestamp(timestamp);
    return instant && Number(instant.seconds);
  }
  const number = Number(timestamp);
  if (!(number >= 0)) return undefined;
  return Math.floor(number > secondsMax ? number / 1000 : number);
}

/** Returns true if a time is close enough to now. */
export function isRecent(seconds: number, now: Date): boolean {
  return Math.abs(now.getTime() - seconds * 1000) <= signatureToleranceMs;
}

/** Maximum duration of an attempt in seconds before it is recorded, for events and prompts. */
const attemptSeconds = { EVENT: 30, PROMPT: 150 };

/**
 * Returns the recent seconds in which a delivery may have been signed: those of recorded attempts, and of an attempt
 * that is not recorded yet.
 */
export function secondsOfAttempts(
  startedAt: readonly Date[],
  now: Date,
  kind: DeliveryRow["kind"] = "EVENT",
): number[] {
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const underWay = Array.from({ length: attemptSeconds[kind] + 1 }, (_, ago) => nowSeconds - ago);
  // A request is signed right after its attempt has started.
  const recorded = startedAt.map((start) => Math.floor(start.getTime() / 1000)).flatMap((start) => [start, start + 1]);
  return [...new Set([...underWay, ...recorded])].filter((seconds) => isRecent(seconds, now));
}

/** Parses a body that is given as text or JSON; undefined if the text is not JSON. */
export function parseBody(body: JsonValue): JsonValue | undefined {
  if (typeof body !== "string") return body;
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** Returns the delivery to which a body belongs: an event's by its `id`, a prompt's by its `testId`. */
export function findDelivery(body: JsonValue | undefined): Pick<DeliveryRow, "id" | "kind"> | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { id, testId } = body;
  if (isId(id)) return { id, kind: "EVENT" };
  return isId(testId) ? { id: testId, kind: "PROMPT" } : undefined;
}

function isId(value: JsonValue | undefined): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

/** Returns true if both are equal in the canonical form of RFC 8785. */
export function isSamePayload(received: JsonValue, payload: string): boolean {
  return canonicalize(received) === canonicalize(parseJson(payload));
}

export interface SignedContent {
  readonly id: string;
  /** Timestamp as in the request's header. */
  readonly timestamp: string;
  /** Payload exactly as sent. */
  readonly payload: string;
}

/** Returns true if one of the space-separated signatures is by one of the secrets. Compares in constant time. */
export function isSignedBy(
  secrets: readonly string[],
  signatures: string,
  { id, timestamp, payload }: SignedContent,
): boolean {
  const received = signatures.split(" ").map((signature) => Buffer.from(signature));
  const valid = secrets.map((secret) => Buffer.from(sign(secret, id, timestamp, payload)));
  const matches = valid.flatMap((signature) =>
    received.map((other) => other.length === signature.length && timingSafeEqual(other, signature)),
  );
  return matches.includes(true);
}
