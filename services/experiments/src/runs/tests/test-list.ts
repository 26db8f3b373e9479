// The list of tests: its filters in both stores.

import type { ArchivedList } from "@ems/archive";
import { defineList, nonEmptyOrNull } from "@ems/kit/db/list";
import type { PageRequest } from "@ems/kit/db/page";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { notBefore } from "@ems/kit/retention";
import { ErrorCauseSchema, TestOutcomeSchema } from "@ems/proto/experiments/v1/run";
import { type ListTestsRequest, PassRateStatusSchema, TestOrderSchema } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../../deps.ts";
import { evaluationOutcomeSql, testOutcomeSql } from "../outcomes/index.ts";
import { buildFilter } from "../runs/index.ts";
import { TestEntity, type TestRow } from "./entity.ts";

/** Value of the tag filter for tasks without tags. */
const none = "__none__";

const passRates = `t.evaluation_count > 0 AND CASE WHEN 100 * t.evaluation_passed > 75 * t.evaluation_count THEN 'success'
  WHEN 100 * t.evaluation_passed > 50 * t.evaluation_count THEN 'warning' ELSE 'error' END = ANY (?)`;

/** SQL of evaluations with an outcome; those of a definition are written as its id and the outcome. */
const [outcomeOfEvaluation, outcomeByDefinition] = [
  evaluationOutcomeSql("e"),
  `concat(e.definition_id, ' ', ${evaluationOutcomeSql("e")})`,
];
// `IS TRUE` prevents a join, whose order PostgreSQL chooses badly, since it cannot estimate outcomes. Instead, few tests
// look up their evaluations by index, and many look them up in a hash table.
const hasEvaluation = (condition: string) => `EXISTS (SELECT FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = t.id AND e.created_at = t.created_at AND e.replaced_by IS NULL
    AND ${condition} = ANY (?)) IS TRUE`;
const hasArchivedEvaluation = (condition: string) => `t.id IN (SELECT e.test_id FROM evaluation e
  WHERE e.replaced_by IS NULL AND ${condition} IN {?:Array(String)})`;

/** Sort keys by outcome: tests that need attention have the largest. */
const outcomeRank = `CASE ${testOutcomeSql("t")} WHEN 'FAILED' THEN 5 WHEN 'ERRORED' THEN 4 WHEN 'NONE' THEN 3
  WHEN 'PASSED' THEN 2 ELSE 1 END`;

const options = {
  alias: "t",
  orderBy: TestOrderSchema,
  where: {
    taskId: "t.task_id = ANY (?)",
    runId: "t.run_id = ANY (?)",
    topicId: "t.topic_id = ANY (?)",
    runType: "t.run_type = ANY (?)",
    status: "t.status = ANY (?)",
    definitionId: "t.definition_ids && ?",
    variantId: `t.run_id IN (SELECT run.id FROM experiments.run run
      WHERE run.application_id = $1 AND run.experiment_variant_id = ANY (?))`,
    passRates,
    tagged: `(t.task_id IN (SELECT tagged.task_id FROM experiments.task_tag_v1 tagged WHERE tagged.application_id = $1
        AND tagged.tag_id = ANY (array_remove(?::text[], '${none}')::uuid[]))
      OR ('${none}' = ANY (?::text[]) AND NOT EXISTS (SELECT FROM experiments.task_tag_v1 tagged
        WHERE tagged.application_id = $1 AND tagged.task_id = t.task_id)))`,
    outcome: `${testOutcomeSql("t")} = ANY (?)`,
    errorCause: "t.error_cause = ANY (?)",
    evalOutcome: hasEvaluation(outcomeOfEvaluation),
    definitionOutcome: hasEvaluation(outcomeByDefinition),
    from: "t.created_at >= ?",
    until: "t.created_at < ?",
  },
  orders: {
    modifiedAt: "coalesce(t.modified_at, t.created_at)",
    outcome: outcomeRank,
    // Usage that earlier versions copied has a known cost if it is not zero.
    cost: "CASE WHEN t.trace_unpriced_steps IS NULL AND t.trace_cost = 0 THEN -1 ELSE coalesce(t.trace_cost, -1) END",
    durationMs: "coalesce(t.duration_ms, -1)",
  },
} as const;
export const archived: ArchivedList<TestRow> = {
  entity: TestEntity,
  kind: "results",
  where: {
    definitionId: "hasAny(t.definition_ids, {?:Array(UUID)})",
    passRates: passRates.replace("= ANY (?)", "IN {?:Array(String)}"),
    outcome: `${testOutcomeSql("t")} IN {?:Array(String)}`,
    errorCause: "t.error_cause IN {?:Array(String)}",
    evalOutcome: hasArchivedEvaluation(outcomeOfEvaluation),
    definitionOutcome: hasArchivedEvaluation(outcomeByDefinition),
  },
  unavailable: { variantId: "experiment_variant_id", tagged: "tag_id" },
  keyTypes: { outcome: "UInt8", cost: "Float64", durationMs: "Int32" },
};
export const counted = defineList(TestEntity, {
  ...options,
  counts: {
    times: { createdAt: "created_at" },
    groups: ["runType", "status"],
    range: "createdAt",
  },
});
/** Counts rows instead of using rollups, as long as rollups still include tests past their retention. */
export const uncounted = defineList(TestEntity, { ...options, name: "test-rows" });

/** Filters of a request, which the list and the export of tests have in common. */
export type TestFilter = Omit<ListTestsRequest, `$${string}` | keyof PageRequest | "store">;

/** Returns the values of the request's filters. */
export function toFilters(request: TestFilter, { retention }: Pick<Deps, "retention">) {
  const common = buildFilter(request);
  const evalOutcome = enumNames(TestOutcomeSchema, request.evalOutcome);
  const byDefinition = common.definitionId?.flatMap((id) => evalOutcome?.map((name) => `${id} ${name}`) ?? []) ?? [];
  return {
    ...common,
    evalOutcome: byDefinition.length === 0 ? evalOutcome : null,
    definitionOutcome: nonEmptyOrNull(byDefinition),
    // Needed because rollups also count tests past their retention.
    from: notBefore(retention.since("results"), common.from),
    runId: nonEmptyOrNull(distinctIds(request.runId)),
    topicId: nonEmptyOrNull(distinctIds(request.topicId)),
    variantId: nonEmptyOrNull(distinctIds(request.experimentVariantId)),
    outcome: enumNames(TestOutcomeSchema, request.outcome),
    errorCause: enumNames(ErrorCauseSchema, request.errorCause),
    passRates: enumNames(PassRateStatusSchema, request.passRateStatuses),
    tagged: nonEmptyOrNull(request.tagId),
  };
}

export type TestFilters = ReturnType<typeof toFilters>;
