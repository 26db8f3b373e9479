// Counts and sums of a table's rows, computed by both databases as text. Equal rows have equal sums.

import { columnList } from "@ems/kit/db/columns";
import { columnType } from "./column-type.ts";
import type { ArchivedTable } from "./kind.ts";
import type { Sums } from "./types.ts";

/**
 * Lists the names of the sums that differ. Sums of columns that only one side has are ignored: another version may have
 * archived the batch.
 */
export function listDifferences(ours: Sums, theirs: Sums): string[] {
  const both = Object.keys(ours).filter((name) => name in theirs);
  return [...new Set(["rows", ...both])].filter((name) => ours[name] !== theirs[name]);
}

/** Builds the select lists over `r` that return `Sums`, for PostgreSQL and for ClickHouse. */
export function buildSums({ entity }: ArchivedTable): readonly [postgres: string, clickhouse: string] {
  const sums = columnList(entity).flatMap((column) => {
    const name = column.name.slice(1, -1);
    const [postgres, clickhouse] = columnType(column).summed?.map((sum) => sum(`r.${column.name}`)) ?? [];
    if (postgres === undefined) return [];
    return [
      [
        `coalesce(sum(${postgres}), 0)::text AS "${name}_sum"`,
        `toString(ifNull(sum(toInt128(${clickhouse})), 0)) AS ${name}_sum`,
      ],
    ];
  });
  return [
    ["count(*)::text AS rows", ...sums.map(([postgres]) => postgres)].join(", "),
    ["toString(count()) AS rows", ...sums.map(([, clickhouse]) => clickhouse)].join(", "),
  ];
}
