// Validation of report queries: every fault is listed by its path; and the options that a report builder offers next.

import { describe, expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

describe("every fault of a query is listed at once, by its path", () => {
  const issues = async (body: object) => {
    const { status, body: answer } = await api.post("/v0/reporting/query", body);
    expect([status, answer.message]).toEqual([400, "Invalid request data"]);
    return answer.issues.map(({ code, path }: { code: string; path: string[] }) => `${path.join(".")} ${code}`);
  };

  test("names, types, operators, values and zones", async () => {
    const body = {
      datasource: "test",
      timezone: "FOO+99",
      filters: [
        { type: "string", column: "baseline", operator: "eq", value: ["a"] },
        { type: "number", column: "score", operator: "contains", value: ["a"] },
        { type: "date", column: "createdAt", operator: "between", value: ["2024-02-30"] },
        { type: "string", column: "topicId", operator: "eq", value: ["' OR true --"] },
      ],
      groupBy: [{ column: "createdAt", type: "date" }],
      measurements: [{ type: "avg", column: "status" }],
      orderBy: [{ column: "score", direction: "up" }],
    };
    expect(await issues(body)).toEqual([
      "timezone invalid_string",
      "filters.0.column invalid_enum_value",
      "filters.1.operator invalid_enum_value",
      "filters.1.value.0 invalid_type",
      "filters.2.value too_small",
      "filters.2.value.0 invalid_string",
      "filters.3.value.0 invalid_string",
      "groupBy.0.dateTrunc invalid_type",
      "measurements.0.column custom",
      "orderBy.0.direction invalid_enum_value",
      "orderBy.0.column invalid_enum_value",
    ]);
  });

  test("shapes", async () => {
    const group = { column: "createdAt", type: "date", dateTrunc: "day" };
    expect(await issues({})).toEqual(["datasource invalid_type", "timezone invalid_type"]);
    expect(await issues({ datasource: "tests", timezone: "" })).toEqual([
      "datasource invalid_enum_value",
      "timezone invalid_string",
    ]);
    const shapes = { limit: 101, skip: -1, groupBy: [group, group, group, group], filters: [{}], extra: 1 };
    expect((await issues({ datasource: "test", timezone: "UTC", ...shapes })).toSorted()).toEqual([
      "extra unrecognized_keys",
      "filters.0.column invalid_type",
      "filters.0.operator invalid_type",
      "filters.0.type invalid_type",
      "filters.0.value invalid_type",
      "groupBy too_big",
      "limit too_big",
      "skip too_small",
    ]);
  });

  test("the limits themselves are good", async () => {
    for (const body of [{ limit: 1 }, { limit: 100 }, { skip: 9_007_199_254_740_991 }]) {
      expect((await api.post("/v0/reporting/query", { datasource: "tag", timezone: "UTC", ...body })).status).toBe(200);
    }
  });
});

describe("what a report builder needs", () => {
  test("GET lists the columns of a datasource", async () => {
    const { status, body } = await api.get("/v0/reporting/datasources/test/columns");
    expect(status).toBe(200);
    expect(body.data.find(({ id }: { id: string }) => id === "createdAt")).toEqual({
      id: "createdAt",
      name: "Created Date",
      type: "date",
      isReference: false,
      values: [],
      operators: ["eq", "neq", "gt", "gte", "lt", "lte", "between"],
      dateTruncs: ["hour", "day", "week", "month", "quarter", "year"],
      measurements: [],
      isFilterOnly: false,
    });
    expect((await api.get("/v0/reporting/datasources/runs/columns")).body).toEqual({ message: "Datasource not found" });
  });

  test("POST lists the next options", async () => {
    const columns = (body: object) => api.post("/v0/reporting/datasources/eval/columns", body);
    const groupBy = [{ column: "createdAt", type: "date", dateTrunc: "month" }];
    const { status, body } = await columns({
      intent: "orderBy",
      groupBy,
      measurements: [{ type: "max", column: "score" }],
    });
    expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, ["createdAt", "max_score"]]);
    expect((await columns({ intent: "sortBy" })).body.issues).toMatchObject([
      { code: "invalid_enum_value", path: ["intent"] },
    ]);
    expect(
      (await columns({ intent: "filters", groupBy: [{ column: "createdAt", type: "date" }] })).body.issues,
    ).toMatchObject([{ code: "invalid_type", message: "Required", path: ["groupBy", "0", "dateTrunc"] }]);
  });
});
