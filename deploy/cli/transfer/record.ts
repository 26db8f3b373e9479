// Format of the file that `ems export` writes and `ems import` reads: one JSON object per line. The first line is the
// header. Every other line is a resource with its id, after all resources that it refers to.

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
  /** Id that other records refer to. Unique in the file among records of its kind. */
  readonly id: string;
  /** Fields of the create request, without those set by the server (times, organization). References are file ids. */
  readonly data: Json;
}

/** All statuses of each kind, as list filters, so that lists include archived resources. */
export const allStatuses = {
  topic: ["DRAFT", "ACTIVE", "ARCHIVED"],
  task: ["DEDUCED", "DRAFT", "ACTIVE", "ARCHIVED"],
  tag: ["ACTIVE", "ARCHIVED"],
  document: ["DRAFT", "ACTIVE"],
  definition: ["DRAFT", "ACTIVE"],
} as const;

export const documentTypes = ["KNOWLEDGE", "POLICY"] as const;

/** Returns the named fields that are not null. In a create request, null means the same as absent. */
export function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.filter((name) => (from[name] ?? null) !== null).map((name) => [name, from[name]]));
}
