// Where ids and randomness come from. Handed to whoever needs them, so that a test can foresee them.

import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

/**
 * Makes a new resource id: a UUIDv7. Those of one process grow, within a millisecond too (which Node's own do not): what is
 * made first comes first where times are equal, and index pages fill in order.
 */
export type NewId = () => string;

export const newId: NewId = () => v7();

/** Makes that many bytes that nobody can guess. */
export type Random = (size: number) => Buffer;

export const secureRandom: Random = randomBytes;

/** Each of the ids once, in their order, as it is stored: the same id in capitals is the same id. */
export function distinctIds(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
