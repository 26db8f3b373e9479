// Whether what a receiver got is what was sent to it.

import { timingSafeEqual } from "node:crypto";
import type { JsonValue } from "@bufbuild/protobuf";
import canonicalize from "canonicalize";
import { sign } from "../deliveries/worker/sign.ts";

/** How far a delivery's time may be from now: an old one that somebody sends again is no news. */
const toleranceMs = 5 * 60 * 1000;

/** The time of the header `webhook-timestamp`; undefined when it is none, or not near enough to now. */
export function timeOf(timestamp: string, now: Date): Date | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) return undefined;
  const timeMs = Number(timestamp) * 1000;
  return Math.abs(now.getTime() - timeMs) <= toleranceMs ? new Date(timeMs) : undefined;
}

/** What a body says that was given as its text, or as what parsing it gave; undefined when the text is no JSON. */
export function saidBy(body: JsonValue): JsonValue | undefined {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether a body says what `payload`, JSON, says: both in the canonical form of RFC 8785. */
export function saysTheSame(said: JsonValue, payload: string): boolean {
  return canonicalize(said) === canonicalize(JSON.parse(payload));
}

export interface Signed {
  readonly id: string;
  /** As the header has it. */
  readonly timestamp: string;
  /** As it was sent. */
  readonly payload: string;
}

/** Whether one of the signatures, with spaces between, is by one of the secrets; takes as long whichever it is. */
export function isSignedBy(
  secrets: readonly string[],
  signatures: string,
  { id, timestamp, payload }: Signed,
): boolean {
  const given = signatures.split(" ").map((signature) => Buffer.from(signature));
  const known = secrets.map((secret) => Buffer.from(sign(secret, id, timestamp, payload)));
  const matches = known.flatMap((ours) =>
    given.map((theirs) => theirs.length === ours.length && timingSafeEqual(theirs, ours)),
  );
  return matches.includes(true);
}
