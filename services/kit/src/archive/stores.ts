// Rows wherever they are: in PostgreSQL, or dropped from it and in the archive alone.

import type { QueryResultRow } from "pg";
import type { EntitySchema } from "typeorm";
import type { Database, Statement } from "../db/database.ts";
import type { Call } from "../rpc/call.ts";
import { extentStatement } from "./extent.ts";
import type { ArchivedKind } from "./kind.ts";
import { archivedRows } from "./rows.ts";
import { type Archive, type ArchiveKind, archivedTables, type Extent, type TableExtent } from "./types.ts";

/** What was dropped of each kind, in the snapshot of the rows beside it. */
export type Dropped<Kind extends ArchiveKind = ArchiveKind> = Readonly<Record<Kind, TableExtent>>;

export class Stores {
  readonly database: Database;
  readonly #archive: Archive | undefined;
  /** `<schema>.archive_extent` */
  readonly extents: string;
  readonly kinds: readonly ArchivedKind[];

  constructor(database: Database, archive: Archive | undefined, extents: string, kinds: readonly ArchivedKind[] = []) {
    this.database = database;
    this.#archive = archive;
    this.extents = extents;
    this.kinds = kinds;
  }

  /** Without an archive nothing is dropped, and PostgreSQL gets no more statements than those of the reader. */
  get hasArchive(): boolean {
    return this.#archive !== undefined;
  }

  /** The rows of PostgreSQL's statements, and what of `kinds` was dropped, all of one snapshot. */
  async read<Kind extends ArchiveKind>(
    call: Call,
    kinds: readonly Kind[],
    statements: readonly Statement[],
  ): Promise<{ found: QueryResultRow[][]; dropped: Dropped<Kind> }> {
    const { applicationId } = call.tenant;
    const extents = this.hasArchive
      ? kinds.map((kind) => ({
          name: `extent-${kind}`,
          ...extentStatement(this.extents, applicationId, kind, this.#returned(kind)),
        }))
      : [];
    const results = await this.database.readAll(call, [...statements, ...extents]);
    const dropped = kinds.map((kind, index): [Kind, TableExtent] => {
      const [extent] = (results[statements.length + index] ?? []) as Extent[];
      const { dropped: intervals = [], hidden = [], upTo = 0, returned = [] } = extent ?? {};
      return [kind, { intervals, hidden, upTo, returned }];
    });
    return {
      found: results.slice(0, statements.length),
      dropped: Object.fromEntries(dropped) as Record<Kind, TableExtent>,
    };
  }

  #returned(kind: ArchiveKind): string | undefined {
    return this.kinds.find((one) => one.kind === kind)?.returned;
  }

  /** Rows of the archive: `text` names tables of `extents` alone, the first of which has all that is wanted. */
  async readDropped<Row extends object>(
    call: Call,
    extents: Readonly<Record<string, TableExtent>>,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Row[]> {
    const [first] = Object.values(extents);
    if (this.#archive === undefined || first === undefined || first.intervals.length === 0) return [];
    return this.#archive.query(call, { text, parameters, extents });
  }

  /** As `readDropped`, of all that is dropped of a kind now, also where PostgreSQL has it again. */
  async queryDropped<Row extends object>(
    call: Call,
    kind: ArchiveKind,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Row[]> {
    if (!this.hasArchive) return [];
    const { dropped } = await this.read(call, [kind], []);
    const extents = Object.fromEntries(
      archivedTables[kind].map((table) => [table, { ...dropped[kind], returned: [] }]),
    );
    return this.readDropped(call, extents, text, parameters);
  }

  /** As `readDropped`, of rows of the entity that `archivedColumnsOf` reads: as pg reads them. */
  async readDroppedRows<Row extends object>(
    call: Call,
    entity: EntitySchema<Row>,
    extent: TableExtent,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
    others: Readonly<Record<string, TableExtent>> = {},
  ): Promise<Row[]> {
    const extents = { [String(entity.options.tableName)]: extent, ...others };
    return archivedRows(entity, await this.readDropped(call, extents, text, parameters));
  }
}

/** What of the extent was created between two times, `until` being exclusive. */
export function clipped({ intervals, ...batches }: TableExtent, from?: Date, until?: Date): TableExtent {
  const [low, high] = [from?.getTime() ?? Number.NEGATIVE_INFINITY, until?.getTime() ?? Number.POSITIVE_INFINITY];
  const parts = intervals.map(({ from, to }) => ({ from: Math.max(from, low), to: Math.min(to, high) }));
  return { ...batches, intervals: parts.filter(({ from, to }) => from < to) };
}

/** What of the extent was created from the first to the last of these moments, of which a statement names few. */
export function clippedTo(extent: TableExtent, times: readonly Date[]): TableExtent {
  if (times.length === 0) return { ...extent, intervals: [] };
  const ms = times.map((time) => time.getTime());
  return clipped(extent, new Date(Math.min(...ms)), new Date(Math.max(...ms) + 1));
}
