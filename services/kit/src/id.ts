// Where ids and randomness come from. Handed to whoever needs them, so that a test can foresee them.

import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

/** Makes a new resource id: a UUIDv7, so that ids of one process grow with time and index pages fill in order. */
export type NewId = () => string;

export const newId: NewId = () => v7();

/** Makes that many bytes that nobody can guess. */
export type Random = (size: number) => Buffer;

export const secureRandom: Random = randomBytes;
