import { create } from "@bufbuild/protobuf";
import { type ArchivedList, listPageOfStore } from "@ems/archive";
import { assertPageFits } from "@ems/kit/answer-size";
import { defineList, nonEmptyOrNull, timeRange } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { notBefore } from "@ems/kit/retention";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvaluationStatusSchema } from "@ems/proto/experiments/v1/evaluation";
import {
  EvaluationOrderSchema,
  type EvaluationService,
  ListEvaluationsResponseSchema,
} from "@ems/proto/experiments/v1/evaluation_service";
import { EvaluationEntity, type EvaluationRow } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { testsOfTraces } from "../../traces/index.ts";
import { totalByDays } from "../rollups/index.ts";
import { fullEvaluations } from "./queries.ts";

type Handler = Handlers<typeof EvaluationService>["listEvaluations"];

const list = defineList(EvaluationEntity, {
  alias: "e",
  orderBy: EvaluationOrderSchema,
  where: {
    testId: "e.test_id = ANY (?)",
    // Receives the ids of the traces' tests.
    traceId: "e.test_id = ANY (?)",
    definitionId: "e.definition_id = ANY (?)",
    status: "e.status = ANY (?)",
    from: "e.created_at >= ?",
    until: "e.created_at < ?",
    // The value is null if evaluations replaced by a rerun are listed too.
    isReplaced: "(e.replaced_by IS NOT NULL) = ?",
  },
  orders: { modifiedAt: "coalesce(e.modified_at, e.created_at)" },
});
const archived: ArchivedList<EvaluationRow> = {
  entity: EvaluationEntity,
  kind: "results",
  where: {
    traceId: `e.test_id IN (SELECT trace.test_id FROM trace trace
      WHERE toString(trace.id) IN {?:Array(String)} OR trace.reference_id IN {?:Array(String)})`,
    isReplaced: "(e.replaced_by IS NOT NULL) = {?:Bool}",
  },
};

/** Lists the evaluations of the caller's application. */
export function listEvaluations(deps: Pick<Deps, "stores" | "references" | "retention">): Handler {
  return async (request, call) => {
    const { from, until } = timeRange(request);
    const traceId = nonEmptyOrNull(distinctIds(request.traceId));
    const filter = {
      testId: nonEmptyOrNull(distinctIds(request.testId)),
      traceId,
      definitionId: nonEmptyOrNull(distinctIds(request.definitionId)),
      status: enumNames(EvaluationStatusSchema, request.status),
      // Needed because rollups also count evaluations past their retention.
      from: notBefore(deps.retention.since("results"), from),
      until,
      isReplaced: request.includeReplaced === true ? null : false,
    };
    // The archive stores trace ids; PostgreSQL does not, so the list filters by the traces' tests.
    const isOwn = traceId !== null && request.store !== "archive";
    const filters = isOwn ? { ...filter, traceId: await testsOfTraces(deps.stores, call, traceId) } : filter;
    const sums = { total: total(filter) };
    const { rows, pagination } = await listPageOfStore(deps.stores, call, list, archived, request, filters, sums);
    const data = await fullEvaluations(deps, call, rows);
    const answer = create(ListEvaluationsResponseSchema, { data, pagination });
    assertPageFits(ListEvaluationsResponseSchema, answer);
    return answer;
  };
}

interface Filter {
  readonly testId: readonly string[] | null;
  readonly traceId: readonly string[] | null;
  readonly definitionId: readonly string[] | null;
  readonly status: readonly string[] | null | undefined;
  readonly from: Date | undefined;
  readonly until: Date | undefined;
  readonly isReplaced: boolean | null;
}

/** Returns the total from rollups; undefined for filters that rollups do not support and that match few rows. */
function total({ testId, traceId, definitionId, status, from, until, isReplaced }: Filter) {
  if (testId !== null || traceId !== null || isReplaced === null) return undefined;
  const predicates = [
    ["t.definition_id = ANY (?)", definitionId],
    ["t.status = ANY (?)", status],
  ] as const;
  const counted = {
    rows: "experiments.evaluation",
    days: "experiments.evaluation_day",
    predicates,
    isCounted: "t.replaced_by IS NULL",
  };
  return totalByDays(counted, from, until);
}
