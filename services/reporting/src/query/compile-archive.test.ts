import { evaluationScoreSql } from "@ems/proto/scales";
import { describe, expect, test } from "vitest";
import { archivedGroups, compileArchivedGroups, compileArchivedRows, compileCandidates } from "./compile-archive.ts";
import type { Bucket } from "./dates.ts";
import type { Plan } from "./plan.ts";
import { planQuery, type QueryRequest } from "./plan-query.ts";
import type { Edge } from "./rollup.ts";

const score = evaluationScoreSql("s");

function planned(query: Partial<QueryRequest>): Plan {
  const none = { filters: [], groupBy: [], measurements: [], orderBy: [] };
  const { plan, faults } = planQuery({ datasource: "eval", timezone: "UTC", ...none, ...query });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return plan;
}

const hour = 3_600_000;
const reach = { intervals: [{ from: 0, to: 24 * hour }], hidden: [3], excluded: {} };
const none = () => [];
const groups = (query: Partial<QueryRequest>, excluded: Record<string, string[]> = {}) =>
  compileArchivedGroups(planned(query), { ...reach, excluded }, none, undefined, 9);
const filter = (type: string, column: string, operator: string, ...values: (string | number | boolean)[]) => ({
  type,
  column,
  operator,
  value: values.map((value) => ({
    $typeName: "google.protobuf.Value" as const,
    kind:
      typeof value === "string"
        ? { case: "stringValue" as const, value }
        : typeof value === "number"
          ? { case: "numberValue" as const, value }
          : { case: "boolValue" as const, value },
  })),
});
const count = [{ type: "count" }];
const topic = "0197a000-0000-7000-8000-000000000001";

describe("predicates", () => {
  test.each<[string, ReturnType<typeof filter>, string, unknown[]]>([
    [
      "texts",
      filter("string", "status", "eq", "FAILED", "'"),
      "s.status = ANY (SELECT arrayJoin({p0:Array(String)}))",
      [["FAILED", "'"]],
    ],
    [
      "ids, with nulls",
      filter("string", "topicId", "neq", topic),
      "(s.topic_id IS NULL OR s.topic_id <> ALL (SELECT arrayJoin({p0:Array(UUID)})))",
      [[topic]],
    ],
    [
      "booleans, with nulls",
      filter("boolean", "passed", "neq", true),
      "(s.passed IS NULL OR s.passed <> {p0:Bool})",
      [true],
    ],
    ["scaled numbers", filter("number", "score", "gt", 0.5), `${score} > {p0:Int64}`, ["500000"]],
    [
      "a range of numbers",
      filter("number", "score", "between", 0.25, 0.5),
      `${score} >= {p0:Int64} AND ${score} <= {p1:Int64}`,
      ["250000", "500000"],
    ],
    ["numbers between two of them", filter("number", "score", "eq", 0.000_000_4), "false", []],
    ["numbers beyond them", filter("number", "score", "lt", 1e30), `${score} IS NOT NULL`, []],
    [
      "dates beyond what ClickHouse has",
      filter("date", "modifiedAt", "gte", "0001-06-01"),
      "s.modified_at >= fromUnixTimestamp64Milli({p0:Int64}, 'UTC')",
      [Date.parse("1900-01-01T00:00:00Z")],
    ],
    ["no dates of creation, which the extent bounds", filter("date", "createdAt", "gte", "2026-03-01"), "true", []],
  ])("compare %s", (_, column, predicate, values) => {
    const { text, parameters } = groups({ measurements: count, filters: [column] });
    expect(text).toContain(predicate === "true" ? "WHERE true  " : `WHERE true AND ${predicate} `);
    expect(Object.values(parameters)).toEqual(values);
  });

  test("exclude archived tasks and topics", () => {
    const { text } = groups({ measurements: count, includeArchived: false }, { task_id: [], topic_id: [topic] });
    expect(text).toContain(`WHERE true AND true AND (s.topic_id IS NULL OR s.topic_id NOT IN ('${topic}'))`);
  });
});

test("groups have exact sums, and the range of their table", () => {
  const measurements = [
    { type: "avg", column: "score" },
    { type: "interval", column: "score" },
    { type: "max", column: "durationMs" },
    { type: "avg", column: "passed" },
  ];
  const { text, ranges } = groups({ groupBy: [{ column: "topicId", type: "string" }], measurements });
  for (const sql of [
    "SELECT s.topic_id AS group_0, count(*) AS rows",
    `sum(toInt128(${score})) AS sum_0`,
    `sum(toInt256(${score}) * toInt256(${score})) AS squares_0`,
    "max(s.duration_ms) AS max_1",
    "count(*) FILTER (WHERE s.passed) AS sum_2",
    "GROUP BY 1 LIMIT 9",
  ]) {
    expect(text).toContain(sql);
  }
  const range = { intervals: reach.intervals, hidden: [3] };
  expect(ranges).toEqual({ evaluation: range, test: range });
});

test("buckets are rounded down to their bounds, and named by their starts", () => {
  const plan = planned({ groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }] });
  // The third hour belongs to the first bucket again.
  const buckets: Bucket[] = [
    { from: 0, to: hour, start: -hour },
    { from: hour, to: 2 * hour, start: hour },
    { from: 2 * hour, to: 3 * hour, start: -hour },
  ];
  const { text } = compileArchivedGroups(plan, reach, () => buckets, undefined, 9);
  expect(text).toContain(`roundDown(toUnixTimestamp64Milli(s.created_at), [0,${hour},${2 * hour}]) AS group_0`);
  const rows = [
    { group_0: "0", rows: "1" },
    { group_0: String(2 * hour), rows: "2" },
  ];
  expect(archivedGroups(plan, rows, () => buckets, undefined)).toEqual([
    { group_0: -hour, rows: "1", sign: 1 },
    { group_0: -hour, rows: "2", sign: 1 },
  ]);
});

test("edges of days are split where another begins, and added and subtracted", () => {
  const plan = planned({ groupBy: [{ column: "createdAt", type: "date", dateTrunc: "day" }] });
  const edges: Edge[] = [
    { from: 0, to: 2 * hour, addTo: 7, subtractFrom: 8 },
    { from: 0, to: hour, addTo: 9 },
    { from: 5 * hour, to: 6 * hour, subtractFrom: 9 },
  ];
  const { text } = compileArchivedGroups(plan, reach, none, edges, 9);
  expect(text).toContain(`[0,${hour},${2 * hour},${5 * hour},${6 * hour}]) AS edge`);
  expect(text).toContain(`AND edge IN (0,${hour},${5 * hour}) GROUP BY 1`);
  const rows = [{ edge: "0" }, { edge: String(hour) }, { edge: String(5 * hour) }];
  const bySign = archivedGroups(plan, rows, none, edges).map(({ edge, group_0, sign }) => [edge, group_0, sign]);
  expect(bySign).toEqual([
    ["0", 7, 1],
    ["0", 8, -1],
    ["0", 9, 1],
    [String(hour), 7, 1],
    [String(hour), 8, -1],
    [String(5 * hour), 9, -1],
  ]);
});

test("candidates have the order of PostgreSQL", () => {
  const orderBy = [{ column: "score", direction: "desc" }];
  const best = compileCandidates(planned({ orderBy }), reach, 30).text;
  expect(best).toContain(`${score} AS order_0, toString(s.id) AS order_1`);
  expect(best).toContain("ORDER BY order_0 DESC NULLS LAST, order_1 DESC LIMIT 30");
  const newest = compileCandidates(planned({}), reach, 30).text;
  expect(newest).toContain("AND s.created_at >= (SELECT min(at) FROM (SELECT s.created_at AS at");
  expect(newest).toContain("toUnixTimestamp64Milli(s.created_at) AS order_0, toString(s.id) AS order_1");
  expect(newest).toContain("ORDER BY order_0 DESC, order_1 DESC LIMIT 30");
  const oldest = planned({ orderBy: [{ column: "createdAt", direction: "asc" }] });
  expect(compileCandidates(oldest, reach, 30).text).toContain("AND s.created_at <= (SELECT max(at)");
});

test("whole rows are found by moment and id, whatever the filters", () => {
  const plan = planned({ filters: [filter("string", "status", "eq", "FAILED")] });
  const { text, parameters } = compileArchivedRows(plan, reach, [
    { id: topic, created: 5 },
    { id: topic, created: new Date(5) },
  ]);
  expect(text).toContain("WHERE true AND s.created_at IN (fromUnixTimestamp64Milli(5, 'UTC')) AND s.id = ANY");
  expect(parameters).toEqual({ p0: [topic, topic] });
});
