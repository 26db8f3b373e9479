// The file that `ems export` writes and `ems import` reads: one JSON object a line. The first one is the header; each other
// is a thing with its id there, in an order in which what is referred to stands before what refers to it.

import type { Json } from "../api.ts";

export const header = { kind: "ems-export", version: 1 } as const;

export const kinds = [
  "tag",
  "topic",
  "task",
  "tagging",
  "document",
  "styleGuide",
  "definition",
  "inferenceStep",
  "experiment",
  "quickstart",
  "run",
] as const;
export type Kind = (typeof kinds)[number];

export interface TransferRecord {
  readonly kind: Kind;
  /** What other records call it; unique within the file for its kind. */
  readonly id: string;
  /** Its content: what the API takes, without what the API makes (times, organisation). References are ids of the file. */
  readonly data: Json;
}

/** Things that leave lists when they are archived. */
export const allStatuses = {
  topic: ["DRAFT", "ACTIVE", "ARCHIVED"],
  task: ["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"],
  tag: ["ACTIVE", "ARCHIVED"],
} as const;

/** The named members that have a value: for the API, null in a new thing is the same as nothing. */
export function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.filter((name) => (from[name] ?? null) !== null).map((name) => [name, from[name]]));
}
