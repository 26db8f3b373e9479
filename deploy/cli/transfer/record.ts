// The file that `ems export` writes and `ems import` reads: one JSON object a line. The first one is the header; each other
// is a resource with its id, after every resource that it refers to.

import type { Json } from "../api.ts";

export const header = { kind: "ems-export", version: 1 } as const;

export const kinds = [
  "tag",
  "topic",
  "task",
  "tagging",
  "document",
  "fact",
  "styleGuide",
  "definition",
  "inferenceStep",
  "experiment",
  "variant",
  "quickstart",
  "run",
] as const;
export type Kind = (typeof kinds)[number];

export interface TransferRecord {
  readonly kind: Kind;
  /** Unique within the file for its kind; other records refer to it. */
  readonly id: string;
  /** The request fields of the resource, without server-made ones (times, organization). References are ids of the file. */
  readonly data: Json;
}

/** Status filters that include archived rows. */
export const allStatuses = {
  topic: ["DRAFT", "ACTIVE", "ARCHIVED"],
  task: ["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"],
  tag: ["ACTIVE", "ARCHIVED"],
  document: ["DRAFT", "ACTIVE"],
  definition: ["DRAFT", "ACTIVE"],
} as const;

export const documentTypes = ["KNOWLEDGE", "POLICY"] as const;

/** The named fields that are not null: in a create request, null and absent are the same. */
export function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.filter((name) => (from[name] ?? null) !== null).map((name) => [name, from[name]]));
}
