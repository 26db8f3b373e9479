// Pages of rows in both stores, while batches come back between their statements.

import { EntitySchema } from "typeorm";
import { expect, test } from "vitest";
import type { TableExtent } from "../archive/types.ts";
import { type MergeOptions, mergedPage, type OwnPage } from "./list-archive.ts";

interface Row {
  readonly id: string;
  readonly createdAt: Date;
  readonly score: number;
}

const entity = new EntitySchema<Row>({
  name: "Row",
  tableName: "row",
  columns: {
    id: { type: "uuid", primary: true },
    createdAt: { type: "timestamptz", name: "created_at" },
    score: { type: "integer" },
  },
});
const dropped: TableExtent = { intervals: [{ from: 0, to: 10 }], hidden: [], upTo: 5 };
const restored: TableExtent = { intervals: [], hidden: [], upTo: 5 };
const row = (score: number) => ({ id: `${score}`, sort_key: score, sort_id: `${score}` });
const page = { property: "score", column: "r.score", direction: "ASC", skip: 2n, limit: 2 } as const;

test.each([
  ["stay in the archive", false],
  ["come back while those before the page are compared", true],
])("rows that %s are on no page twice, and none is left out", async (_, comeBack) => {
  const archived = [row(2)];
  const all = [row(1), row(2), row(3), row(4), row(5)];
  let isRestored = false;
  const read = async ({ skip, limit }: typeof page, columns: "all" | "keys"): Promise<OwnPage> => {
    // Between the first read and the keys.
    if (columns === "keys") isRestored = comeBack;
    const rows = isRestored ? all : all.filter(({ id }) => id !== "2");
    const part = rows.slice(Number(skip), Number(skip) + limit);
    return { rows: part, total: rows.length, dropped: isRestored ? restored : dropped, isNewer: false };
  };
  const readDroppedRows = async (_call: unknown, _entity: unknown, _extent: unknown, text: string) => {
    if (text.includes("count()")) return [{ rows: "1" }];
    const offset = Number(/OFFSET (\d+)/.exec(text)?.[1] ?? 0);
    return archived.slice(offset);
  };
  const options = {
    list: { alias: "r", entity, archive: { kind: "results" }, where: {}, id: "r.id" },
    stores: { readDroppedRows },
    call: {},
    page,
    filters: {},
    archived: undefined,
    counted: undefined,
    read,
  };
  const found = await mergedPage(options as unknown as MergeOptions);
  expect(found).toMatchObject({ rows: [row(3), row(4)], total: 5 });
});
