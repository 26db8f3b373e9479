// The whole content of an application, exactly: rows with their ids and times. The first line of the file is the header;
// every other line is a page of rows, in the order in which an import needs them.

import { createHash } from "node:crypto";
import type { ApiClient, Json } from "../api.ts";

export const rowsHeader = { kind: "ems-rows", version: 1 } as const;

/** Parts of an application, which different services own. */
const parts = ["catalog", "results", "traces"] as const;

export interface RowPage {
  readonly part: (typeof parts)[number];
  /** Version of the part's tables. */
  readonly schema: string;
  readonly tables: readonly { readonly table: string; readonly rows: readonly string[] }[];
  readonly isLast: boolean;
}

/** Names of tables whose rows complete rows that were counted. */
const following = /_(?:links|pieces)$/;

export type RowCounts = Record<string, number>;

/** Yields all pages. Counts the rows by table in `counts`. */
export async function* exportPages(api: ApiClient, counts: RowCounts): AsyncGenerator<RowPage> {
  for (const part of parts) {
    for (let after = ""; ; ) {
      const { schema, tables, nextCursor } = await api.get(`/v0/transfer/${part}${after}`);
      for (const { table, rows } of tables)
        if (!following.test(table)) counts[table] = (counts[table] ?? 0) + rows.length;
      const isLast = nextCursor === null;
      if (tables.length > 0 || isLast) yield { part, schema, tables, isLast };
      if (isLast) break;
      after = `?after=${encodeURIComponent(nextCursor)}`;
    }
  }
}

/** Imports pages into an application. An interrupted import of the same file can be repeated. */
export class RowImporter {
  readonly counts: RowCounts = {};
  readonly #api: ApiClient;
  readonly #importId: string;

  /** `header` is the first line of the file. */
  constructor(api: ApiClient, header: string) {
    this.#api = api;
    this.#importId = toUuid(`${api.applicationId}\n${header}`);
  }

  async add({ part, schema, tables, isLast }: RowPage): Promise<void> {
    const page = { importId: this.#importId, schema, tables, isLast };
    const { count }: { count: number } = await this.#api.post(`/v0/transfer/${part}`, page);
    this.counts[part] = (this.counts[part] ?? 0) + count;
  }
}

/** Returns true if a parsed line is a page of rows. */
export function isRowPage(line: Json): line is RowPage {
  return parts.includes(line?.part) && typeof line.schema === "string" && Array.isArray(line.tables);
}

/** Derives a UUID of version 8 from a text. */
function toUuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
