// The time limit of a report, and the answer to a report that reaches it.

import { databaseError } from "@ems/kit/db/errors";
import { Code, ConnectError, deadlineExceeded } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import { isRollupSufficient, needOfRows, type Plan } from "../query/index.ts";

/** Time before the call's deadline at which a report ends, so that its answer still arrives. */
const reserveMs = 1_500;

/** Returns the call with the deadline of its report. */
export function limitReport(call: Call): Call {
  const { caller, requestId, tenant, signal, deadlineMs } = call;
  return { caller, requestId, tenant, signal, deadlineMs: deadlineMs - reserveMs };
}

/** Returns the error of a report; one that reached its time limit says why it takes long. */
export function explainSlowness(error: unknown, plan: Plan): unknown {
  const answer = error instanceof ConnectError ? error : databaseError(error);
  if (answer?.code !== Code.DeadlineExceeded) return error;
  return deadlineExceeded(
    error,
    `The report reached its time limit${whyRows(plan)}: filter createdAt to fewer days, or filter by other columns`,
  );
}

/** Returns which part of the query makes the report read rows. */
function whyRows(plan: Plan): string {
  if (plan.source.rollup === undefined) return ", because it reads rows";
  if (isRollupSufficient(plan)) return "";
  const [part, at] = needOfRows(plan);
  const column =
    part === "group_by"
      ? plan.groupings[Number(at)]?.column.id
      : part === "filters"
        ? plan.filters.find((filter) => filter.at === at)?.column.id
        : plan.measures[Number(at)]?.id;
  const what = column === undefined ? "this query" : column;
  return `, because it reads rows: sums of days do not include ${what}`;
}
