// Time of reports on the steps of a month, through the whole product, each compared with plain SQL on the steps and with
// the best SQL on the sums that the product keeps.

import pg from "pg";
import type { Ground } from "../ground.ts";
import type { Figure, Measurement } from "../page.ts";
import { type Bench, inTurn, type Part, type Round } from "../part.ts";
import { type Side, startProductSide } from "../sides.ts";
import { measureMs } from "../statistics.ts";
import { fillSteps } from "./step-data.ts";

export const steps: Part = {
  title: "Reports on steps",
  note: `Of an application with so many steps in one month, one process, one report at a time. Baselines are plain SQL (as superuser) on the
sums by day; "rows" is the same answer from the steps themselves, once. The report by user, a column with many values, reads rows.`,
  measure: async (bench: Bench): Promise<Figure[]> => {
    const { steps: count, repetitions = 5 } = bench.options;
    const open = (ground: Ground, stack: AsyncDisposableStack) => openSteps(count, ground, stack);
    return inTurn(bench, repetitions, open, { onDisk: true });
  },
};

interface StepReport {
  readonly name: string;
  readonly query: object;
  /** SQL on the sums, and on the rows, for the same groups. */
  readonly sums?: string;
  readonly rows: string;
  readonly aim?: string;
}

const month = [{ type: "date", column: "createdAt", operator: "between", value: ["2026-10-01", "2026-10-31"] }];
const step = { datasource: "step", timezone: "UTC", filters: month } as const;
const by = (column: string) => ({ column, type: "string" });
const measure = (type: string, column: string) => ({ type, column });
const fromSums = "FROM traces.step_day WHERE application_id = $1";
const fromRows = `FROM traces.trace t JOIN traces.trace_step s ON s.application_id = t.application_id AND s.trace_id = t.id
  AND s.month = '2026-10-01' WHERE t.application_id = $1`;
const json = (field: string, type: string) => `(s.fields ->> '${field}')::${type}`;
const aim = "below 300 ms";

const reports: readonly StepReport[] = [
  {
    name: "day × model, cost and input tokens",
    query: {
      ...step,
      groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }, by("model")],
      measurements: [measure("sum", "cost"), measure("sum", "inputTokens")],
    },
    sums: `SELECT day, model, sum(cost), sum(input) ${fromSums} GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 25`,
    rows: `SELECT date_trunc('day', t.created_at), ${json("modelId", "text")}, sum(${json("costAmount", "numeric")}),
      sum((s.fields -> 'usage' ->> 'promptTokens')::bigint) ${fromRows} GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 25`,
    aim,
  },
  {
    name: "model, p50 and p95 of the duration",
    query: {
      ...step,
      groupBy: [by("model")],
      measurements: [measure("p50", "durationMs"), measure("p95", "durationMs")],
    },
    sums: `SELECT model, bucket, sum(hits) FROM traces.step_day d JOIN traces.step_day_duration h USING (application_id, day, key)
      WHERE application_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    rows: `SELECT ${json("modelId", "text")}, percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY ${json("durationMs", "bigint")})
      ${fromRows} GROUP BY 1 ORDER BY 1`,
    aim,
  },
  {
    name: "type × status, counts",
    query: { ...step, groupBy: [by("type"), by("status")], measurements: [{ type: "count" }] },
    sums: `SELECT type, status, sum(rows) ${fromSums} GROUP BY 1, 2 ORDER BY 1, 2`,
    rows: `SELECT s.type, ${json("status", "text")}, count(*) ${fromRows} GROUP BY 1, 2 ORDER BY 1, 2`,
    aim,
  },
  {
    name: "user, cost",
    query: { ...step, groupBy: [by("user")], measurements: [measure("sum", "cost")] },
    rows: `SELECT t.end_user, sum(${json("costAmount", "numeric")}) ${fromRows} GROUP BY 1 ORDER BY 1 LIMIT 25`,
  },
];

async function openSteps(count: number, ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const side = await startProductSide("one", ground, stack);
  const { applicationId } = side.tenant;
  const { migrationMs } = await fillSteps(side.adminUrl, side.tenant, count);
  const client = new pg.Client({ connectionString: side.adminUrl, options: "-c timezone=UTC" });
  await client.connect();
  stack.defer(() => client.end());
  const fixed: Measurement[] = [{ what: `${count}: creation of the sums`, unit: "ms", value: migrationMs }];
  for (const { name, rows } of reports) {
    const value = await measureMs(() => client.query(rows, [applicationId]));
    fixed.push({ what: `${count}: ${name}: rows`, unit: "ms", value });
  }
  const round = async () => {
    const measured: Measurement[] = [];
    for (const { name, query, sums, aim } of reports) {
      let outcome = "";
      const value = await measureMs(async () => {
        outcome = await queryReport(side, query);
      });
      const baseline = sums && { what: "SQL", value: await measureMs(() => client.query(sums, [applicationId])) };
      const what = `${count}: ${name}${outcome}`;
      measured.push({ what, unit: "ms", value, ...(baseline && { baseline }), ...(aim && { aim }) });
    }
    return [...fixed, ...measured];
  };
  await round();
  return round;
}

/** Returns how a report ended other than with its answer. */
async function queryReport({ baseUrl, headers }: Side, query: object): Promise<string> {
  const answer = await fetch(`${baseUrl}/v0/reporting/query`, { method: "POST", headers, body: JSON.stringify(query) });
  const text = await answer.text();
  return answer.ok ? "" : ` (${answer.status}: ${text.slice(0, 200)})`;
}
