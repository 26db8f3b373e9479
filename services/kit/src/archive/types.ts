// What readers of the archive give and get (DECISION-archive.md).

import type { Call } from "../rpc/call.ts";

/** What moves together: rows of a kind are in the same batches. */
export type ArchiveKind = "results" | "traces";

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

/** What of a kind the archive has, in one snapshot of PostgreSQL. */
export interface Extent {
  /** Published or dropped: disjoint, in order, adjacent ones merged. */
  readonly archived: readonly Interval[];
  /** In the archive alone; part of `archived`. */
  readonly dropped: readonly Interval[];
  /** Numbers of batches whose rows nobody may read. */
  readonly hidden: readonly number[];
  /** The greatest number: later batches carry intervals again that are still read by earlier ones. */
  readonly upTo: number;
  /** Ids of rows that PostgreSQL has again, by `ArchivedKind.returned`. */
  readonly returned: readonly string[];
}

export interface ArchiveStatement {
  /** Names tables bare: `FROM evaluation s`. Values are parameters only: `{ids:Array(UUID)}`. */
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What may be read of each table that the text names; a table without an entry has no rows. */
  readonly extents: Readonly<Record<string, TableExtent>>;
}

export interface TableExtent {
  readonly intervals: readonly Interval[];
  readonly hidden: readonly number[];
  /** As of `Extent`. */
  readonly upTo?: number;
  readonly returned?: readonly string[];
}

/** Answers numbers of 64 bits and more, and decimals, as text. */
export interface Archive {
  /** The rows of a statement on behalf of the call's application, until the call's deadline. */
  query<Row>(call: Pick<Call, "tenant" | "deadlineMs" | "signal">, statement: ArchiveStatement): Promise<Row[]>;
  close(): Promise<void>;
}
