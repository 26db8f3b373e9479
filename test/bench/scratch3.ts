// biome-ignore-all lint: scratch
import { readFileSync } from "node:fs";
import { tiles } from "@ems/reporting/query/dates";
import pg from "pg";

const url = readFileSync(`/tmp/rq-bench10/log`, "utf8").split(/\s/)[1] ?? "";
const client = new pg.Client({
  connectionString: url,
  options:
    "-c timezone=UTC -c jit=off -c work_mem=64MB -c random_page_cost=1.1 -c parallel_tuple_cost=0.001 -c parallel_setup_cost=100",
});
await client.connect();
await client.query("SELECT set_config('ems.application_id', '019a0000-0000-7000-8000-000000000000', false)");
const app = "019a0000-0000-7000-8000-000000000000";
const iso = (ms: number) => new Date(ms).toISOString();
for (const [unit, from, to] of [
  ["month", "2025-10-31T23:00:00Z", "2026-10-31T23:00:00Z"],
  ["day", "2025-10-31T23:00:00Z", "2026-10-31T23:00:00Z"],
  ["day", "2026-05-01T00:00:00Z", "2026-05-26T00:00:00Z"],
] as const) {
  const t = tiles("Europe/Copenhagen", unit, { from: Date.parse(from), to: Date.parse(to) });
  const starts = t.map((x) => iso(x.from)),
    ends = t.map((x) => iso(x.to)),
    values = t.map((x) => iso(x.bucket));
  const range = `application_id = $1 AND created_at >= '${from}' AND created_at < '${to}'`;
  const variants: Record<string, [string, any[]]> = {
    widthValue: [
      `SELECT ($3::timestamptz[])[width_bucket(created_at, $2::timestamptz[])] k, passed, count(*) FROM reporting.evaluation_v1 WHERE ${range} GROUP BY 1,2`,
      [app, starts, values],
    ],
    widthIndex: [
      `SELECT width_bucket(created_at, $2::timestamptz[]) k, passed, count(*) FROM reporting.evaluation_v1 WHERE ${range} GROUP BY 1,2`,
      [app, starts],
    ],
    lateral: [
      `SELECT e.v, q.* FROM unnest($2::timestamptz[], $3::timestamptz[], $4::timestamptz[]) e(a,b,v), LATERAL (SELECT passed, count(*) FROM reporting.evaluation_v1 WHERE application_id=$1 AND created_at >= e.a AND created_at < e.b GROUP BY 1) q`,
      [app, starts, ends, values],
    ],
    twoLevel: [
      `SELECT ($3::timestamptz[])[width_bucket(h, $2::timestamptz[])] k, passed, sum(n) FROM (SELECT date_bin('15 minutes', created_at, '2000-01-01Z') h, passed, count(*) n FROM reporting.evaluation_v1 WHERE ${range} GROUP BY 1,2) x GROUP BY 1,2`,
      [app, starts, values],
    ],
    noBucket: [`SELECT passed, count(*) FROM reporting.evaluation_v1 WHERE ${range} GROUP BY 1`, [app]],
  };
  for (const [name, [text, vals]] of Object.entries(variants)) {
    if (name === "joinRange" && unit === "day" && from.startsWith("2025")) continue;
    const ms: number[] = [];
    for (let i = 0; i < 4; i++) {
      const t0 = performance.now();
      await client.query(text, vals);
      ms.push(performance.now() - t0);
    }
    const plan = (await client.query(`EXPLAIN ${text}`, vals)).rows.map((r) => r["QUERY PLAN"]).join("\n");
    console.log(
      unit,
      from.slice(0, 7),
      name.padEnd(14),
      Math.min(...ms).toFixed(0),
      "ms",
      plan.includes("Gather") ? "parallel" : "",
      plan.includes("Index Only") ? "ios" : plan.includes("Index Scan") ? "is" : "",
    );
  }
}
await client.end();
