import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { planQuery } from "./plan-query.ts";

interface Query {
  readonly filters?: readonly Record<string, unknown>[];
  readonly [field: string]: unknown;
}

const none = { filters: [], groupBy: [], measurements: [], orderBy: [] };

/** Plans a query given in the form of JSON. */
function plan({ filters = [], ...query }: Query) {
  const read = filters.map((filter) => ({
    ...filter,
    value: ((filter.value ?? []) as JsonValue[]).map((value) => fromJson(ValueSchema, value)),
  }));
  // The API's rules check the types; this test checks the values.
  const request = { datasource: "test", timezone: "UTC", ...none, ...query, filters: read };
  return planQuery(request as unknown as Parameters<typeof planQuery>[0]);
}

const faults = (query: Query) =>
  plan(query).faults?.map(({ path, code }) => `${path.join(".")} ${code ?? "custom"}`) ?? [];

const good = { type: "string", column: "status", operator: "eq", value: ["COMPLETED"] };
const number = { type: "number", column: "score", operator: "gt", value: [0.5] };
const date = { type: "date", column: "createdAt", operator: "eq", value: ["2024-03-10"] };
const month = { column: "createdAt", type: "date", dateTrunc: "month" };

describe("each error in a query has its path", () => {
  test.each<[string, Query, string[]]>([
    ["an unknown datasource", { datasource: "tests" }, ["datasource invalid_enum_value"]],
    ["an unknown zone", { timezone: "FOO+99" }, ["timezone invalid_string"]],
    ["no zone", { timezone: "" }, ["timezone invalid_string"]],
    ["an offset instead of a zone", { timezone: "+02:00" }, ["timezone invalid_string"]],
    // Errors in filters.
    [
      "a column that the source lacks",
      { filters: [{ ...good, column: "baseline" }] },
      ["filters.0.column invalid_enum_value"],
    ],
    [
      "a column of another spelling",
      { filters: [{ ...good, column: "Status" }] },
      ["filters.0.column invalid_enum_value"],
    ],
    [
      "a column out of the prototype",
      { filters: [{ ...good, column: "constructor" }] },
      ["filters.0.column invalid_enum_value"],
    ],
    [
      "SQL for a column",
      { filters: [{ ...good, column: "status; DROP TABLE x" }] },
      ["filters.0.column invalid_enum_value"],
    ],
    ["a type that does not match", { filters: [{ ...good, type: "number" }] }, ["filters.0.type invalid_enum_value"]],
    ["an unknown type", { filters: [{ ...good, type: "uuid" }] }, ["filters.0.type invalid_enum_value"]],
    [
      "an operator that does not fit",
      { filters: [{ ...good, operator: "gt" }] },
      ["filters.0.operator invalid_enum_value"],
    ],
    [
      "an operator on a boolean",
      { filters: [{ type: "boolean", column: "passed", operator: "lt", value: [true] }] },
      ["filters.0.operator invalid_enum_value"],
    ],
    ["an unknown operator", { filters: [{ ...number, operator: "like" }] }, ["filters.0.operator invalid_enum_value"]],
    ["no value", { filters: [{ ...good, value: [] }] }, ["filters.0.value too_small"]],
    ["no number", { filters: [{ ...number, value: [] }] }, ["filters.0.value too_small"]],
    ["two values for one", { filters: [{ ...number, value: [1, 2] }] }, ["filters.0.value too_big"]],
    [
      "one value for between",
      { filters: [{ ...number, operator: "between", value: [1] }] },
      ["filters.0.value too_small"],
    ],
    [
      "three values for between",
      { filters: [{ ...date, operator: "between", value: ["2024-01-01", "2024-01-02", "2024-01-03"] }] },
      ["filters.0.value too_big"],
    ],
    ["a number for a string", { filters: [{ ...good, value: ["a", 1] }] }, ["filters.0.value.1 invalid_type"]],
    ["a string for a number", { filters: [{ ...number, value: ["1"] }] }, ["filters.0.value.0 invalid_type"]],
    ["null for a value", { filters: [{ ...good, value: [null] }] }, ["filters.0.value.0 invalid_type"]],
    ["an object for a value", { filters: [{ ...good, value: [{}] }] }, ["filters.0.value.0 invalid_type"]],
    [
      "a string for a boolean",
      { filters: [{ type: "boolean", column: "passed", operator: "eq", value: ["true"] }] },
      ["filters.0.value.0 invalid_type"],
    ],
    [
      "no UUID for an id",
      { filters: [{ ...good, column: "topicId", value: ["a"] }] },
      ["filters.0.value.0 invalid_string"],
    ],
    ["a day that never is", { filters: [{ ...date, value: ["2024-02-30"] }] }, ["filters.0.value.0 invalid_string"]],
    [
      "a moment without offset",
      { filters: [{ ...date, value: ["2024-03-10T10:00:00"] }] },
      ["filters.0.value.0 invalid_string"],
    ],
    ["milliseconds for a date", { filters: [{ ...date, value: [1710000000000] }] }, ["filters.0.value.0 invalid_type"]],
    // Errors in groupings.
    ["an unknown group", { groupBy: [{ column: "nope", type: "string" }] }, ["group_by.0.column invalid_enum_value"]],
    [
      "a group's type",
      { groupBy: [{ column: "status", type: "date", dateTrunc: "day" }] },
      ["group_by.0.type invalid_enum_value", "group_by.0.date_trunc custom"],
    ],
    [
      "a date without a dateTrunc",
      { groupBy: [{ column: "createdAt", type: "date" }] },
      ["group_by.0.date_trunc invalid_type"],
    ],
    [
      "a date with an unknown dateTrunc",
      { groupBy: [{ ...month, dateTrunc: "minute" }] },
      ["group_by.0.date_trunc invalid_enum_value"],
    ],
    [
      "a text with a dateTrunc",
      { groupBy: [{ column: "status", type: "string", dateTrunc: "day" }] },
      ["group_by.0.date_trunc custom"],
    ],
    ["a group twice", { groupBy: [month, { ...month, dateTrunc: "year" }] }, ["group_by.1.column custom"]],
    // Errors in measurements.
    [
      "an unknown measurement",
      { measurements: [{ type: "median", column: "score" }] },
      ["measurements.0.type invalid_enum_value"],
    ],
    [
      "an unknown column to measure",
      { measurements: [{ type: "avg", column: "nope" }] },
      ["measurements.0.column invalid_enum_value"],
    ],
    ["a text to measure", { measurements: [{ type: "avg", column: "status" }] }, ["measurements.0.column custom"]],
    ["a date to measure", { measurements: [{ type: "min", column: "createdAt" }] }, ["measurements.0.column custom"]],
    ["nothing to measure", { measurements: [{ type: "sum" }] }, ["measurements.0.column invalid_type"]],
    ["a count of something", { measurements: [{ type: "count", column: "score" }] }, ["measurements.0.column custom"]],
    ["a measurement twice", { measurements: [{ type: "count" }, { type: "count" }] }, ["measurements.1 custom"]],
    // Errors in the order.
    [
      "an unknown column to order by",
      { orderBy: [{ column: "nope", direction: "asc" }] },
      ["order_by.0.column invalid_enum_value"],
    ],
    [
      "an unknown direction",
      { orderBy: [{ column: "score", direction: "up" }] },
      ["order_by.0.direction invalid_enum_value"],
    ],
    [
      "an order twice",
      {
        orderBy: [
          { column: "score", direction: "asc" },
          { column: "score", direction: "desc" },
        ],
      },
      ["order_by.1.column custom"],
    ],
    [
      "groups ordered by a column that they lack",
      { groupBy: [month], orderBy: [{ column: "score", direction: "asc" }] },
      ["order_by.0.column invalid_enum_value"],
    ],
    [
      "groups ordered by a measurement that they lack",
      { groupBy: [month], orderBy: [{ column: "avg_score", direction: "asc" }] },
      ["order_by.0.column invalid_enum_value"],
    ],
    [
      "rows ordered by a measurement",
      { orderBy: [{ column: "count", direction: "asc" }] },
      ["order_by.0.column invalid_enum_value"],
    ],
  ])("%s", (_, query, expected) => {
    expect(faults(query)).toEqual(expected);
  });

  test("all errors at once", () => {
    const query = {
      datasource: "eval",
      timezone: "FOO+99",
      filters: [good, { type: "date", column: "variantId", operator: "like", value: [1] }],
      groupBy: [{ column: "createdAt", type: "date" }],
      measurements: [{ type: "avg", column: "topicId" }],
      orderBy: [{ column: "score", direction: "down" }],
    };
    expect(faults(query)).toEqual([
      "timezone invalid_string",
      "filters.1.column invalid_enum_value",
      "filters.1.operator invalid_enum_value",
      "filters.1.value.0 invalid_type",
      "group_by.0.date_trunc invalid_type",
      "measurements.0.column custom",
      "order_by.0.direction invalid_enum_value",
      "order_by.0.column invalid_enum_value",
    ]);
  });

  test("without a datasource, the errors that do not depend on it are found", () => {
    const query = { datasource: "", timezone: "", filters: [{ ...good, type: "x", operator: "y", value: [] }] };
    expect(faults(query)).toEqual([
      "datasource invalid_enum_value",
      "timezone invalid_string",
      "filters.0.type invalid_enum_value",
      "filters.0.operator invalid_enum_value",
      "filters.0.value too_small",
    ]);
  });
});

describe("defaults", () => {
  const planOrder = (query: Query) =>
    plan(query).plan?.order.map((term) => {
      const name = "column" in term ? term.column.id : "grouping" in term ? term.grouping.column.id : term.measure.id;
      return `${name} ${term.isDescending ? "desc" : "asc"}`;
    });

  test.each<[string, Query, string[]]>([
    ["rows: the newest first", {}, ["createdAt desc", "id desc"]],
    ["rows in an order: then by id", { orderBy: [{ column: "score", direction: "asc" }] }, ["score asc", "id asc"]],
    ["rows by id", { orderBy: [{ column: "id", direction: "asc" }] }, ["id asc"]],
    [
      "groups: createdAt first",
      { groupBy: [{ column: "topicId", type: "string" }, month] },
      ["createdAt asc", "topicId asc"],
    ],
    [
      "groups in an order: then by the rest",
      { groupBy: [{ column: "topicId", type: "string" }, month], orderBy: [{ column: "count", direction: "desc" }] },
      ["count desc", "createdAt asc", "topicId asc"],
    ],
    ["all rows together", { measurements: [{ type: "count" }] }, []],
  ])("%s", (_, query, expected) => {
    expect(planOrder(query)).toEqual(expected);
  });

  test("25 results from the first, including archived ones, and a count of groups", () => {
    expect(plan({ groupBy: [month] }).plan).toMatchObject({
      skip: 0,
      limit: 25,
      includeArchived: true,
      isGrouped: true,
      measures: [{ id: "count", type: "count" }],
    });
    expect(plan({}).plan).toMatchObject({ isGrouped: false, measures: [] });
  });
});

test("filters on the same date are merged", () => {
  const between = { ...date, operator: "between", value: ["2024-03-01", "2024-03-31"] };
  const until = { ...date, operator: "lt", value: ["2024-03-10T12:00:00.000000001+02:00"] };
  const filters = plan({ timezone: "Europe/Copenhagen", filters: [between, good, until] }).plan?.filters;
  expect(filters).toMatchObject([
    { kind: "string", values: ["COMPLETED"] },
    {
      kind: "date",
      intervals: [{ from: Date.parse("2024-02-29T23:00:00Z"), to: Date.parse("2024-03-10T10:00:00.001Z") }],
      matchesNull: false,
    },
  ]);
});
