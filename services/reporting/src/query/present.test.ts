import { expect, test } from "vitest";
import { findColumn, sources } from "../sources/index.ts";
import type { Grouping, Measure, MeasureType } from "./plan.ts";
import { type Chart, visualize } from "./present.ts";

const column = (id: string) => {
  const [found] = sources.filter((source) => source.id === "eval").map((source) => findColumn(source, id));
  if (found === undefined) throw new Error(`no column ${id}`);
  return found;
};
const group = (id: string): Grouping =>
  id === "createdAt" ? { column: column(id), trunc: "month" } : { column: column(id) };
const measure = (id: string): Measure => {
  const [type = "", of] = id.split("_");
  return { id, type: type as MeasureType, ...(of !== undefined && { column: column(of) }) };
};

test.each<[string, string, Chart[], { x?: string; series?: string }]>([
  // No groupings
  ["", "", ["table"], {}],
  ["", "count", ["number", "table"], {}],
  ["", "avg_score", ["number", "table"], {}],
  ["", "count avg_score", ["table"], {}],
  // One grouping by date
  ["createdAt", "count", ["line", "area", "bar", "table"], { x: "createdAt" }],
  ["createdAt", "count avg_score", ["line", "area", "bar", "table"], { x: "createdAt" }],
  // A column other than a date.
  ["topicId", "count", ["bar", "pie", "table"], { x: "topicId" }],
  ["topicId", "sum_score", ["bar", "pie", "table"], { x: "topicId" }],
  ["topicId", "sum_passed", ["bar", "pie", "table"], { x: "topicId" }],
  ["passed", "count", ["bar", "pie", "table"], { x: "passed" }],
  ["score", "count", ["bar", "pie", "table"], { x: "score" }],
  // Only parts of a whole can form a pie.
  ["topicId", "avg_score", ["bar", "table"], { x: "topicId" }],
  ["topicId", "max_score", ["bar", "table"], { x: "topicId" }],
  ["topicId", "count sum_score", ["bar", "table"], { x: "topicId" }],
  // A date and another column, in either order.
  ["createdAt topicId", "count", ["line", "table"], { x: "createdAt", series: "topicId" }],
  ["topicId createdAt", "avg_score", ["line", "table"], { x: "createdAt", series: "topicId" }],
  // Two other columns.
  ["topicId definitionId", "avg_score", ["heatmap", "bar", "table"], { x: "topicId", series: "definitionId" }],
  ["topicId status", "count sum_score", ["bar", "table"], { x: "topicId", series: "status" }],
  // Three columns.
  ["createdAt topicId status", "count", ["table"], {}],
])("groupings [%s], measurements [%s]", (groupings, measures, compatibleCharts, mapping) => {
  const names = (text: string) => (text === "" ? [] : text.split(" "));
  const charted = {
    groupings: names(groupings).map(group),
    measures: names(measures).map(measure),
    isAnyNegative: () => false,
  };
  expect(visualize(charted)).toEqual({
    compatibleCharts,
    recommendedChart: compatibleCharts[0],
    fieldMapping: { measures: names(measures), ...mapping },
  });
});

test("a pie chart requires values that are not negative", () => {
  const charted = { groupings: [group("topicId")], measures: [measure("sum_score")], isAnyNegative: () => true };
  expect(visualize(charted).compatibleCharts).toEqual(["bar", "table"]);
});
