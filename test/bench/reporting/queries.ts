// The measured reports, and plain SQL for the same answers.

export interface ReportQuery {
  readonly datasource: string;
  readonly timezone: string;
  readonly skip?: number;
  readonly filters?: readonly {
    readonly type: string;
    readonly column: string;
    readonly operator: string;
    readonly value: readonly (string | number | boolean)[];
  }[];
  readonly groupBy?: readonly { readonly column: string; readonly type: string; readonly dateTrunc?: string }[];
  readonly measurements?: readonly { readonly type: string; readonly column?: string }[];
}

export interface Report {
  readonly name: string;
  readonly query: ReportQuery;
  /** Alternatives for the same answer, each of one or more statements; the last one returns the answer's `total`. */
  readonly plain: readonly (readonly string[])[];
  /** True if it takes the database a long time. */
  readonly isHeavy?: boolean;
}

const zone = "Europe/Copenhagen";
const evals = { datasource: "eval", timezone: zone } as const;
const truncatedTo = (dateTrunc: string) => ({ column: "createdAt", type: "date", dateTrunc });
const by = (column: string) => ({ column, type: "string" });
const average = { type: "avg", column: "score" };
const count = { type: "count" };
const between = (...value: string[]) => ({ type: "date", column: "createdAt", operator: "between", value });
const year = between("2025-11-01", "2026-10-31");
const days = between("2026-05-01", "2026-05-25");
const low = { type: "number", column: "score", operator: "lt", value: [0.3] };

const unpassed = { type: "boolean", column: "passed", operator: "eq", value: [false] };

const rows = "FROM experiments.evaluation WHERE application_id = $1";
const within = (from: string, until: string) =>
  `created_at >= timestamp '${from}' AT TIME ZONE '${zone}' AND created_at < timestamp '${until}' AT TIME ZONE '${zone}'`;
const inYear = within("2025-11-01", "2026-11-01");
const inDays = within("2026-05-01", "2026-05-26");
const total = `SELECT count(*) AS total ${rows}`;
const columns = `id, org_id, application_id, test_id, task_id, topic_id, definition_id, definition_type, status,
  score_micro / 1e6 AS score, passed, created_at`;
const newest = "ORDER BY created_at DESC, id DESC LIMIT 25";
const grouped = (key: string, and = "true") =>
  `SELECT ${key}, avg(score_micro) / 1e6 AS avg_score, count(*) OVER () AS total ${rows} AND ${and}
   GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 25`;
/** Groups by hour first, so that only a few hours must be converted to the zone. */
const groupedTwice = (unit: string, column: string, and: string) => `
  SELECT date_trunc('${unit}', hour, '${zone}'), ${column}, sum(sum) / sum(scored) / 1e6 AS avg_score, count(*) OVER () AS total
  FROM (SELECT date_bin('1 hour', created_at, '2000-01-01Z') AS hour, ${column}, sum(score_micro), count(score_micro) AS scored
        ${rows} AND ${and} GROUP BY 1, 2) hours
  GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 25`;

/** `evaluations` is the number of the application's evaluations. */
export const getReports = (evaluations: number): readonly Report[] => [
  {
    name: "25 newest rows",
    query: evals,
    plain: [[`SELECT ${columns} ${rows} ${newest}`, total]],
  },
  {
    name: "a page at skip 100,000",
    query: { ...evals, skip: 100_000 },
    plain: [
      [`SELECT ${columns} ${rows} ${newest} OFFSET 100000`, total],
      [
        `SELECT ${columns} FROM (SELECT created_at, id ${rows} ${newest} OFFSET 100000) page
         JOIN experiments.evaluation USING (created_at, id) WHERE application_id = $1 ORDER BY created_at DESC, id DESC`,
        total,
      ],
    ],
  },
  {
    name: "the last page",
    query: { ...evals, skip: evaluations - 25 },
    plain: [[`SELECT ${columns} ${rows} ${newest} OFFSET ${evaluations - 25}`, total]],
  },
  {
    name: "month × topic, average, a year",
    query: { ...evals, groupBy: [truncatedTo("month"), by("topicId")], measurements: [average], filters: [year] },
    plain: [
      [grouped(`date_trunc('month', created_at, '${zone}'), topic_id`, inYear)],
      [groupedTwice("month", "topic_id", inYear)],
    ],
    isHeavy: true,
  },
  {
    name: "day × definition, average, 25 days",
    query: { ...evals, groupBy: [truncatedTo("day"), by("definitionId")], measurements: [average], filters: [days] },
    plain: [
      [grouped(`date_trunc('day', created_at, '${zone}'), definition_id`, inDays)],
      [groupedTwice("day", "definition_id", inDays)],
    ],
  },
  {
    name: "status counts",
    query: { ...evals, groupBy: [by("status")], measurements: [count] },
    plain: [[`SELECT status, count(*), count(*) OVER () AS total ${rows} GROUP BY 1 ORDER BY 1`]],
  },
  {
    name: "a filtered count: failed since January",
    query: {
      ...evals,
      measurements: [count],
      filters: [
        { type: "string", column: "status", operator: "eq", value: ["FAILED"] },
        { type: "date", column: "createdAt", operator: "gte", value: ["2026-01-15"] },
      ],
    },
    plain: [
      [
        `SELECT count(*), count(*) OVER () AS total ${rows} AND status = 'FAILED'
         AND created_at >= timestamp '2026-01-15' AT TIME ZONE '${zone}'`,
      ],
    ],
  },
  {
    name: "a filtered count: not passed in each month of a year",
    query: { ...evals, groupBy: [truncatedTo("month")], measurements: [count], filters: [unpassed, year] },
    plain: [
      [
        `SELECT date_trunc('month', created_at, '${zone}'), count(*), count(*) OVER () AS total ${rows}
         AND NOT passed AND ${inYear} GROUP BY 1 ORDER BY 1`,
      ],
      [
        `SELECT date_trunc('month', hour, '${zone}'), sum(unpassed), count(*) OVER () AS total
         FROM (SELECT date_bin('1 hour', created_at, '2000-01-01Z') AS hour, count(*) AS unpassed
               ${rows} AND NOT passed AND ${inYear} GROUP BY 1) hours
         GROUP BY 1 ORDER BY 1`,
      ],
    ],
  },
  {
    name: "a filtered count: score below 0.3 in 25 days",
    query: { ...evals, measurements: [count], filters: [low, days] },
    plain: [[`SELECT count(*), count(*) OVER () AS total ${rows} AND score_micro < 300000 AND ${inDays}`]],
  },
  {
    name: "a filtered count: score below 0.3 of all",
    query: { ...evals, measurements: [count], filters: [low] },
    plain: [[`SELECT count(*), count(*) OVER () AS total ${rows} AND score_micro < 300000`]],
    isHeavy: true,
  },
];

/** The small application's report. */
export const smallReport: ReportQuery = {
  ...evals,
  groupBy: [truncatedTo("day"), by("topicId")],
  measurements: [average, count],
};
