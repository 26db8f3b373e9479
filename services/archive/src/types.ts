// What readers of the archive give and get (DECISION-archive.md).

import type { Call } from "@ems/kit/rpc/call";

/** What moves together: rows of a kind are in the same batches. */
export type ArchiveKind = (typeof archiveKinds)[number];

export const archiveKinds = ["results", "traces"] as const;

/** The archive's tables of each kind; bare, they are the same words in PostgreSQL. */
export const archivedTables = {
  results: ["test", "evaluation"],
  traces: ["trace", "trace_step"],
} as const satisfies Record<ArchiveKind, readonly string[]>;

/** Milliseconds of `created_at`, from `from` until before `to`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Sums of a table's rows, by name: `rows`, then columns. */
export type Sums = Readonly<Record<string, string>>;

/** What may be read of a table, in one snapshot of PostgreSQL. */
export interface Extent {
  /** Disjoint, in order, adjacent ones merged. */
  readonly intervals: readonly Interval[];
  /** Batches to exclude. */
  readonly hidden: readonly number[];
  /** The greatest batch number of the snapshot. */
  readonly upTo?: number;
}

export interface ArchiveStatement {
  /** Names tables bare: `FROM evaluation s`. Values are parameters only: `{ids:Array(UUID)}`. */
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What may be read of each table that the text names; a table without an entry has no rows. */
  readonly extents: Readonly<Record<string, Extent>>;
}

/** Answers numbers of 64 bits and more, and decimals, as text. */
export interface Archive {
  /** The rows of a statement on behalf of the call's application, until the call's deadline. */
  query<Row>(call: Pick<Call, "tenant" | "deadlineMs" | "signal">, statement: ArchiveStatement): Promise<Row[]>;
  close(): Promise<void>;
}
