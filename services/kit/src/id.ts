// Ids and randomness, handed to whoever needs them, so that tests can foresee them.

import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

/**
 * Makes a resource id: a UUIDv7, monotonic within the process even within a millisecond (Node's own are not), so that index
 * pages fill in order.
 */
export type NewId = () => string;

export const newId: NewId = () => v7();

/** Makes that many cryptographically random bytes. */
export type Random = (size: number) => Buffer;

export const secureRandom: Random = randomBytes;

/** The distinct ids in their order, in lower case as they are stored. */
export function distinctIds(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
