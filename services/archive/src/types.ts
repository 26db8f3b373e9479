// Types for readers of the archive (DECISION-archive.md).

import type { Call } from "@ems/kit/rpc/call";

/** Kinds of archived rows; the rows of one kind share batches. */
export type ArchiveKind = (typeof archiveKinds)[number];

export const archiveKinds = ["results", "traces"] as const;

/** The archive's tables by kind. The unqualified names are the same in PostgreSQL. */
export const archivedTables = {
  results: ["test", "evaluation"],
  traces: ["trace", "trace_step"],
} as const satisfies Record<ArchiveKind, readonly string[]>;

/** Range of `created_at` in milliseconds: `from` inclusive, `to` exclusive. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Sums over a table's rows, by name: `rows` is their number, the other names are columns. */
export type Sums = Readonly<Record<string, string>>;

/** Readable ranges and batches of a table, from one PostgreSQL snapshot. */
export interface ArchivedRanges {
  /** Disjoint intervals in order; adjacent ones are merged. */
  readonly intervals: readonly Interval[];
  /** Numbers of batches to exclude. */
  readonly hidden: readonly number[];
  /** Greatest batch number of the snapshot. */
  readonly upTo?: number;
}

export interface ArchiveStatement {
  /** Uses unqualified table names: `FROM evaluation s`. Values are parameters only: `{ids:Array(UUID)}`. */
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Archived ranges of each table that the text reads; a table without an entry has no rows. */
  readonly ranges: Readonly<Record<string, ArchivedRanges>>;
}

/** Read access to the archive. Decimals and numbers of 64 bits or more are returned as text. */
export interface Archive {
  /** Runs a statement for the call's application, until the call's deadline. */
  query<Row>(call: Pick<Call, "tenant" | "deadlineMs" | "signal">, statement: ArchiveStatement): Promise<Row[]>;
  close(): Promise<void>;
}
