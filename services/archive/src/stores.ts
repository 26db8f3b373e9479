// Access to PostgreSQL and the archive. A lookup by id reads both stores; a list reads one.

import type { Database, Statement } from "@ems/kit/db/database";
import { failure } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { QueryResultRow } from "pg";
import type { EntitySchema } from "typeorm";
import { buildRangesStatement, nothing } from "./ranges.ts";
import { archivedRows } from "./rows.ts";
import type { Archive, ArchivedRanges, ArchiveKind } from "./types.ts";

/** Archived ranges by kind, read in the same snapshot as PostgreSQL's rows. */
export type RangesByKind<Kind extends ArchiveKind = ArchiveKind> = Readonly<Record<Kind, ArchivedRanges>>;

/** Query on the archive. */
export interface ArchivedQuery<Row extends object> {
  readonly kind: ArchiveKind;
  /** Table whose archived ranges limit the query. */
  readonly table: string;
  /** Entity whose columns `buildArchivedSelectList` selects; undefined if rows are not converted to pg's form. */
  readonly entity?: EntitySchema<Row>;
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Narrows the archived ranges to those that can contain such rows; by default all. */
  readonly within?: (ranges: ArchivedRanges) => ArchivedRanges;
}

export interface Lookup<Row extends object> {
  /** Statement for PostgreSQL. */
  readonly own: Statement;
  readonly archived: ArchivedQuery<Row>;
}

export class Stores {
  readonly database: Database;
  readonly #archive: Archive | undefined;
  readonly #relations: Readonly<Record<ArchiveKind, string>>;

  /** `relations` names, for each kind, `archive_extent` of the service that owns the kind, or a view of it. */
  constructor(database: Database, archive: Archive | undefined, relations: Readonly<Record<ArchiveKind, string>>) {
    this.database = database;
    this.#archive = archive;
    this.#relations = relations;
  }

  /** True if there is an archive. Without one, PostgreSQL receives no additional statements. */
  get hasArchive(): boolean {
    return this.#archive !== undefined;
  }

  /** Reads PostgreSQL's statements and the archived ranges of `kinds` in one snapshot. */
  async read<Kind extends ArchiveKind>(
    call: Call,
    kinds: readonly Kind[],
    statements: readonly Statement[],
  ): Promise<{ found: QueryResultRow[][]; archivedRanges: RangesByKind<Kind> }> {
    const read = this.hasArchive
      ? kinds.map((kind) => ({
          name: `extent-${kind}`,
          ...buildRangesStatement(this.#relations[kind], call.tenant.applicationId, kind),
        }))
      : [];
    const results = await this.database.readAll(call, [...statements, ...read]);
    const rangesByKind = kinds.map((kind, index): [Kind, ArchivedRanges] => {
      const [ranges] = (results[statements.length + index] ?? []) as ArchivedRanges[];
      return [kind, ranges ?? nothing];
    });
    return {
      found: results.slice(0, statements.length),
      archivedRanges: Object.fromEntries(rangesByKind) as Record<Kind, ArchivedRanges>,
    };
  }

  /** Queries the archive. `text` reads only tables of `ranges`; if the first one has no ranges, there are no rows. */
  async query<Row extends object>(
    call: Call,
    ranges: Readonly<Record<string, ArchivedRanges>>,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Row[]> {
    const [first] = Object.values(ranges);
    if (this.#archive === undefined || first === undefined || first.intervals.length === 0) return [];
    return this.#archive.query(call, { text, parameters, ranges: ranges });
  }

  /** Reads an entity's rows from the archive, in the form that pg returns. */
  async rows<Row extends object>(
    call: Call,
    query: ArchivedQuery<Row>,
    rangesByKind: Readonly<Partial<RangesByKind>>,
  ): Promise<Row[]> {
    const { kind, table, entity, text, parameters, within } = query;
    const all = rangesByKind[kind] ?? nothing;
    const ranges = within?.(all) ?? all;
    const rows = await this.query<Row>(call, { [table]: ranges }, text, parameters);
    return entity === undefined ? rows : archivedRows(entity, rows as Record<string, unknown>[]);
  }

  /** Looks rows up in PostgreSQL and in the archive; each row is in only one of them. */
  async lookUp<Rows extends readonly object[]>(
    call: Call,
    lookups: { readonly [Index in keyof Rows]: Lookup<Rows[Index] & object> },
  ): Promise<{ [Index in keyof Rows]: Rows[Index][] }> {
    const all = lookups as readonly Lookup<object>[];
    const kinds = [...new Set(all.map(({ archived }) => archived.kind))];
    const { found, archivedRanges: rangesByKind } = await this.read(
      call,
      kinds,
      all.map(({ own }) => own),
    );
    const archived = await Promise.all(all.map((lookup) => this.rows(call, lookup.archived, rangesByKind)));
    // The cast is safe: the lookups' entities determine the columns.
    return found.map((rows, index) => [...rows, ...(archived[index] ?? [])]) as never;
  }

  /** Finds the only row of a lookup; reads the archive only if PostgreSQL has none. */
  async find<Row extends object>(call: Call, { own, archived }: Lookup<Row>): Promise<Row | undefined> {
    const { found, archivedRanges: rangesByKind } = await this.read(call, [archived.kind], [own]);
    const [row] = found[0] ?? [];
    if (row !== undefined) return row as Row;
    const [other] = await this.rows(call, archived, rangesByKind);
    return other;
  }
}

/** Error for a change to a row that only the archive has. */
export function inArchive({ tenant }: Pick<Call, "tenant">, name: string, createdAt: Date) {
  const month = createdAt.toISOString().slice(0, 7);
  const command = `ems archive restore --application ${tenant.applicationId} --month ${month}`;
  return failure(
    "IN_ARCHIVE",
    `${name} is in the archive, which is read-only. An operator can restore its month: ${command}`,
  );
}
