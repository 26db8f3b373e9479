// PostgreSQL and the archive side by side. A lookup by id finds a row in either; a list reads one of them.

import type { Database, Statement } from "@ems/kit/db/database";
import { failure } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { QueryResultRow } from "pg";
import type { EntitySchema } from "typeorm";
import { extentStatement, nothing } from "./extent.ts";
import { archivedRows } from "./rows.ts";
import type { Archive, ArchiveKind, Extent } from "./types.ts";

/** The extents of kinds, in the snapshot of the rows that were read with them. */
export type Extents<Kind extends ArchiveKind = ArchiveKind> = Readonly<Record<Kind, Extent>>;

/** A query of the archive. */
export interface ArchivedQuery<Row extends object> {
  readonly kind: ArchiveKind;
  /** The table that bounds what is wanted. */
  readonly table: string;
  /** Whose columns `archivedColumnsOf` selects; undefined where rows are not read as pg reads them. */
  readonly entity?: EntitySchema<Row>;
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The part of the extent that can have such rows; by default all of it. */
  readonly within?: (extent: Extent) => Extent;
}

export interface Lookup<Row extends object> {
  /** PostgreSQL's statement. */
  readonly own: Statement;
  readonly archived: ArchivedQuery<Row>;
}

export class Stores {
  readonly database: Database;
  readonly #archive: Archive | undefined;
  readonly #relations: Readonly<Record<ArchiveKind, string>>;

  /** `relations`: `archive_extent` of the service that has the kind, or a view of it. */
  constructor(database: Database, archive: Archive | undefined, relations: Readonly<Record<ArchiveKind, string>>) {
    this.database = database;
    this.#archive = archive;
    this.#relations = relations;
  }

  /** Without an archive PostgreSQL gets no more statements than those of the reader. */
  get hasArchive(): boolean {
    return this.#archive !== undefined;
  }

  /** The rows of PostgreSQL's statements and the extents of `kinds`, all of one snapshot. */
  async read<Kind extends ArchiveKind>(
    call: Call,
    kinds: readonly Kind[],
    statements: readonly Statement[],
  ): Promise<{ found: QueryResultRow[][]; extents: Extents<Kind> }> {
    const read = this.hasArchive
      ? kinds.map((kind) => ({
          name: `extent-${kind}`,
          ...extentStatement(this.#relations[kind], call.tenant.applicationId, kind),
        }))
      : [];
    const results = await this.database.readAll(call, [...statements, ...read]);
    const extents = kinds.map((kind, index): [Kind, Extent] => {
      const [extent] = (results[statements.length + index] ?? []) as Extent[];
      return [kind, extent ?? nothing];
    });
    return {
      found: results.slice(0, statements.length),
      extents: Object.fromEntries(extents) as Record<Kind, Extent>,
    };
  }

  /** Rows of the archive: `text` names tables of `extents` alone, the first of which bounds what is wanted. */
  async query<Row extends object>(
    call: Call,
    extents: Readonly<Record<string, Extent>>,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<Row[]> {
    const [first] = Object.values(extents);
    if (this.#archive === undefined || first === undefined || first.intervals.length === 0) return [];
    return this.#archive.query(call, { text, parameters, extents });
  }

  /** Rows of the archive, of an entity as pg reads them from its table. */
  async rows<Row extends object>(
    call: Call,
    query: ArchivedQuery<Row>,
    extents: Readonly<Partial<Extents>>,
  ): Promise<Row[]> {
    const { kind, table, entity, text, parameters, within } = query;
    const all = extents[kind] ?? nothing;
    const extent = within?.(all) ?? all;
    const rows = await this.query<Row>(call, { [table]: extent }, text, parameters);
    return entity === undefined ? rows : archivedRows(entity, rows as Record<string, unknown>[]);
  }

  /** The rows of each lookup, of PostgreSQL and of the archive; a row is in one of them. */
  async lookUp<Rows extends readonly object[]>(
    call: Call,
    lookups: { readonly [Index in keyof Rows]: Lookup<Rows[Index] & object> },
  ): Promise<{ [Index in keyof Rows]: Rows[Index][] }> {
    const all = lookups as readonly Lookup<object>[];
    const kinds = [...new Set(all.map(({ archived }) => archived.kind))];
    const { found, extents } = await this.read(
      call,
      kinds,
      all.map(({ own }) => own),
    );
    const archived = await Promise.all(all.map((lookup) => this.rows(call, lookup.archived, extents)));
    // The columns are those of the lookups' entities.
    return found.map((rows, index) => [...rows, ...(archived[index] ?? [])]) as never;
  }

  /** The only row of a lookup: the archive is read where PostgreSQL has none. */
  async find<Row extends object>(call: Call, { own, archived }: Lookup<Row>): Promise<Row | undefined> {
    const { found, extents } = await this.read(call, [archived.kind], [own]);
    const [row] = found[0] ?? [];
    if (row !== undefined) return row as Row;
    const [other] = await this.rows(call, archived, extents);
    return other;
  }
}

/** The refusal of a change to a row that only the archive has. */
export function inArchive({ tenant }: Pick<Call, "tenant">, name: string, createdAt: Date) {
  const month = createdAt.toISOString().slice(0, 7);
  const command = `ems archive restore --application ${tenant.applicationId} --month ${month}`;
  return failure(
    "IN_ARCHIVE",
    `${name} is in the archive, which is read-only. An operator restores its month: ${command}`,
  );
}
