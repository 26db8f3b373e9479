import { Code, ConnectError, deadlineExceeded } from "@ems/kit/errors";
import { expect, test } from "vitest";
import { planQuery } from "../query/index.ts";
import { explainSlowness } from "./slow-report.ts";

const none = { filters: [], groupBy: [], measurements: [], orderBy: [] };
const by = (column: string) => ({ column, type: "string" });

test.each([
  [{ ...none, groupBy: [by("type"), by("user")] }, "sums of days do not include user"],
  [{ ...none, groupBy: [by("type")], measurements: [{ type: "min", column: "cost" }] }, "do not include min_cost"],
  [{ ...none, measurements: [{ type: "count" }], filters: [] }, "reached its time limit: filter"],
  [none, "sums of days do not include this query"],
])("a slow report names what it reads rows for: %j", (query, message) => {
  const { plan } = planQuery({ datasource: "step", timezone: "UTC", ...query });
  if (plan === undefined) throw new Error("invalid query");
  const explained = explainSlowness(deadlineExceeded(), plan);
  expect(explained).toMatchObject({ code: Code.DeadlineExceeded, rawMessage: expect.stringContaining(message) });
  const other = new ConnectError("lost", Code.Unavailable);
  expect(explainSlowness(other, plan)).toBe(other);
});
