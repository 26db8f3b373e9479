// Archives rows: copies them to ClickHouse and deletes them from PostgreSQL.

import { archiveClient, archiveColumns, archiveConfig, archiveDdl } from "@ems/archive";
import { readConfig } from "@ems/kit/config";
import { columnList } from "@ems/kit/db/columns";
import type { TestClickhouse, TestDatabase } from "@ems/test-support";
import { allKinds, getSchema } from "./archive-parts.ts";

export async function dropping(clickhouse: TestClickhouse, database: TestDatabase) {
  const config = readConfig(archiveConfig, clickhouse.env);
  const client = archiveClient(config);
  if (client === undefined) throw new Error("no ClickHouse");
  const tables = allKinds.flatMap((kind) => kind.tables);
  for (const query of archiveDdl(tables, config)) await client.command({ query });
  return async (applicationId: string, kind: string, starts: Date, ends: Date) => {
    const values = [applicationId, starts, ends];
    const [batch] = await database.sql<{ number: number }>(
      `INSERT INTO ${getSchema(kind)}.archive_batch (application_id, kind, starts, ends, state)
       VALUES ($1, $2, $3, $4, 'dropped') RETURNING number`,
      [applicationId, kind, starts, ends],
    );
    const within = (alias: string) =>
      `${alias}.application_id = $1 AND ${alias}.created_at >= $2 AND ${alias}.created_at < $3`;
    const sources: Record<string, string> = {
      trace_step: `(SELECT s.*, t.created_at FROM traces.trace_step s JOIN traces.trace t
        ON t.application_id = s.application_id AND t.id = s.trace_id)`,
      trace: `(SELECT t.*, ARRAY(SELECT DISTINCT unnest(w.words) FROM traces.trace_words w
        WHERE w.application_id = t.application_id AND w.trace_id = t.id) AS words FROM traces.trace t)`,
    };
    for (const table of allKinds.find((candidate) => candidate.kind === kind)?.tables ?? []) {
      const name = String(table.entity.options.tableName);
      const columns = Object.keys(archiveColumns(table)).filter((column) => column !== "batch");
      const types = new Map(columnList(table.entity).map((column) => [column.name.slice(1, -1), column.type]));
      const formatColumn = (column: string) => {
        const type = types.get(column) ?? (column === "created_at" ? "timestamptz" : "other");
        if (type === "timestamptz") {
          return `to_char(x."${column}" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS "${column}"`;
        }
        if (column === "words") return "ARRAY(SELECT w::text FROM unnest(x.words) w WHERE w >= 0) AS words";
        return type === "json" || type === "bigint" ? `x."${column}"::text AS "${column}"` : `x."${column}"`;
      };
      const rows = await database.sql(
        `SELECT ${columns.map(formatColumn).join(", ")}, ${batch?.number} AS batch
         FROM ${sources[name] ?? `${getSchema(kind)}.${name}`} x WHERE ${within("x")}`,
        values,
      );
      await client.insert({ table: `${config.CLICKHOUSE_DATABASE}.${name}`, values: rows, format: "JSONEachRow" });
    }
    const old = `SELECT t.id FROM traces.trace t WHERE ${within("t")}`;
    const deletions =
      kind === "results"
        ? [
            `DELETE FROM experiments.test x WHERE ${within("x")}`,
            `DELETE FROM experiments.evaluation x WHERE ${within("x")}`,
          ]
        : ["trace_words", "trace_step", "trace_metadata"]
            .map((name) => `DELETE FROM traces.${name} s WHERE s.application_id = $1 AND s.trace_id IN (${old})`)
            .concat(`DELETE FROM traces.trace x WHERE ${within("x")}`);
    if (kind === "traces") {
      await database.sql(
        `INSERT INTO traces.dropped_trace (application_id, id, created_at)
         SELECT x.application_id, x.id, x.created_at FROM traces.trace x WHERE ${within("x")} ON CONFLICT DO NOTHING`,
        values,
      );
    }
    for (const text of deletions) await database.sql(text, values);
  };
}
