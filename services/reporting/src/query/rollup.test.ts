import { describe, expect, test } from "vitest";
import { buckets } from "./dates.ts";
import type { Plan } from "./plan.ts";
import { planQuery, type QueryRequest } from "./plan-query.ts";
import { isRollupSufficient, matchingRows, splitByDay, timeBounds } from "./rollup.ts";

function planned(query: Partial<QueryRequest>): Plan {
  const none = { filters: [], groupBy: [], measurements: [], orderBy: [] };
  const { plan, faults } = planQuery({ datasource: "eval", timezone: "Europe/Copenhagen", ...none, ...query });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return plan;
}

const byMonth = { column: "createdAt", type: "date", dateTrunc: "month" };
const byDay = { ...byMonth, dateTrunc: "day" };
const text = (column: string) => ({ column, type: "string" });
const count = { type: "count" };
const equals = (column: string) => ({
  type: "string",
  column,
  operator: "eq",
  value: [{ $typeName: "google.protobuf.Value" as const, kind: { case: "stringValue" as const, value: "COMPLETED" } }],
});

const average = { type: "avg", column: "score" };
const perfect = {
  type: "number",
  column: "score",
  operator: "eq",
  value: [{ $typeName: "google.protobuf.Value" as const, kind: { case: "numberValue" as const, value: 1 } }],
};
const passed = (operator: "eq" | "neq", boolValue: boolean) => ({
  type: "boolean",
  column: "passed",
  operator,
  value: [{ $typeName: "google.protobuf.Value" as const, kind: { case: "boolValue" as const, value: boolValue } }],
});

describe("the rollup has", () => {
  test.each<[boolean, string, Partial<QueryRequest>]>([
    [true, "all rows", { measurements: [count] }],
    [true, "a date and dimensions", { groupBy: [byMonth, text("topicId"), text("status")] }],
    [false, "not the date of a change", { groupBy: [{ ...byMonth, column: "modifiedAt" }] }],
    [
      true,
      "sums, means and extremes of scores",
      {
        measurements: [
          { type: "avg", column: "score" },
          { type: "max", column: "score" },
        ],
      },
    ],
    [true, "filters on dimensions", { measurements: [count], filters: [equals("status")] }],
    [true, "how many passed, by dimensions", { groupBy: [text("topicId")], filters: [passed("eq", true)] }],
    [false, "not the scores of those that passed", { measurements: [average], filters: [passed("eq", true)] }],
    [false, "not who passed, of one score", { measurements: [count], filters: [passed("eq", true), perfect] }],
    [false, "not single tasks", { groupBy: [text("taskId")] }],
    [false, "not two dates", { groupBy: [byMonth, { ...byDay, column: "modifiedAt" }] }],
    [false, "not what is archived", { measurements: [count], includeArchived: false }],
    [false, "not rows", {}],
    [false, "nothing of tasks", { datasource: "task", measurements: [count] }],
  ])("%s: %s", (isKnown, _, query) => {
    expect(isRollupSufficient(planned(query))).toBe(isKnown);
  });
});

test.each([
  ["eq", true, "r.passed_true"],
  ["eq", false, "(r.passed_rows - r.passed_true)"],
  ["neq", true, "(r.rows - r.passed_true)"],
  ["neq", false, "(r.rows - (r.passed_rows - r.passed_true))"],
] as const)("rows of a rollup row where passed is %s %s: %s", (operator, boolValue, sql) => {
  expect(matchingRows(planned({ measurements: [count], filters: [passed(operator, boolValue)] }))).toBe(sql);
});

const at = (time: string) => Date.parse(time);
const iso = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? ms : new Date(ms).toISOString().slice(0, 13);
const split = (query: Partial<QueryRequest>, unit: "month" | "day", from: string, to: string) => {
  const plan = planned(query);
  const split = splitByDay(plan, timeBounds(plan), buckets(plan.zone, unit, { from: at(from), to: at(to) }));
  return (
    split && {
      days: split.wholeDays.map((days) => [iso(days.from), iso(days.to), iso(days.bucket)]),
      edges: split.edges.map((edge) => [iso(edge.from), iso(edge.to), iso(edge.addTo), iso(edge.subtractFrom)]),
    }
  );
};

test("the rows between a bucket's bound and the nearest midnight are added and subtracted", () => {
  expect(split({ groupBy: [byMonth] }, "month", "2024-01-31T23:00:00Z", "2024-03-31T22:00:00Z")).toEqual({
    days: [
      ["2024-02-01T00", "2024-03-01T00", "2024-01-31T23"],
      ["2024-03-01T00", "2024-04-01T00", "2024-02-29T23"],
    ],
    edges: [
      ["2024-01-31T23", "2024-02-01T00", "2024-01-31T23", undefined],
      ["2024-02-29T23", "2024-03-01T00", "2024-02-29T23", "2024-01-31T23"],
      ["2024-03-31T22", "2024-04-01T00", undefined, "2024-02-29T23"],
    ],
  });
});

test("extremes cannot be subtracted: they are read from the rows of partial days", () => {
  const query = { groupBy: [byMonth], measurements: [{ type: "max", column: "score" }] };
  expect(split(query, "month", "2024-01-31T23:00:00Z", "2024-02-29T23:00:00Z")).toEqual({
    days: [["2024-02-01T00", "2024-02-29T00", "2024-01-31T23"]],
    edges: [
      ["2024-01-31T23", "2024-02-01T00", "2024-01-31T23", undefined],
      ["2024-02-29T00", "2024-02-29T23", "2024-01-31T23", undefined],
    ],
  });
  expect(split({ ...query, groupBy: [byDay] }, "day", "2024-01-31T23:00:00Z", "2024-02-10T23:00:00Z")).toBeUndefined();
});

test("extremes of a boolean follow from its number of true values", () => {
  const query = { groupBy: [byDay], measurements: [{ type: "max", column: "passed" }] };
  expect(split(query, "day", "2024-01-31T23:00:00Z", "2024-02-10T23:00:00Z")?.days).toHaveLength(10);
});

test("without dates there are no edges", () => {
  const plan = planned({ measurements: [count] });
  expect(splitByDay(plan, timeBounds(plan), undefined)).toEqual({
    wholeDays: [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, bucket: null }],
    edges: [],
  });
});
