import { buildArchivedSelectList, clipToTimes, type Lookup } from "@ems/archive";
import { pageTooLarge } from "@ems/kit/answer-size";
import { buildSelectList } from "@ems/kit/db/columns";
import type { Call } from "@ems/kit/rpc/call";
import { answerBytesMax } from "@ems/proto/limits";
import { EvaluationEntity, type EvaluationRow, evaluation, loadReferences } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { latestTraceIds, type TraceOfTest, tracesOfTests } from "../../traces/index.ts";

const columns = buildSelectList(EvaluationEntity, "e");
const archivedColumns = buildArchivedSelectList(EvaluationEntity, "e");
const ofTests = `experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = ANY ($2::uuid[]) AND e.replaced_by IS NULL`;
// Limits the time (an evaluation has its test's) to skip other months' partitions. No rows if the page is too large.
const ofPage = `WITH of_page AS MATERIALIZED (SELECT ${columns} FROM ${ofTests} AND e.created_at BETWEEN $3 AND $4)
  SELECT * FROM of_page WHERE ${answerBytesMax} >= (SELECT coalesce(sum(octet_length(results::text)), 0) FROM of_page)
  ORDER BY id`;

interface EvaluatedTest {
  readonly id: string;
  readonly createdAt: Date;
  readonly definitionIds: readonly string[];
}

/** Looks up the evaluations of tests, up to the size limit of a response. */
export function lookUpEvaluations(call: Call, tests: readonly EvaluatedTest[]): Lookup<EvaluationRow> {
  const [ids, times] = [tests.map(({ id }) => id), tests.map(({ createdAt }) => createdAt)];
  const ms = times.map((time) => time.getTime());
  return {
    own: {
      text: ofPage,
      values: [call.tenant.applicationId, ids, new Date(Math.min(...ms)), new Date(Math.max(...ms))],
    },
    archived: {
      kind: "results",
      table: "evaluation",
      entity: EvaluationEntity,
      text: `SELECT ${archivedColumns} FROM evaluation e WHERE e.test_id IN {ids:Array(UUID)} AND e.replaced_by IS NULL
        QUALIFY sum(ifNull(length(e.results), 0)) OVER (ORDER BY e.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) <= ${answerBytesMax}
        ORDER BY toString(e.id)`,
      parameters: { ids },
      within: (range) => clipToTimes(range, times),
    },
  };
}

/** Groups the rows of `lookUpEvaluations` by test, sorted by id; throws if they were too large for a response. */
export function byTest(tests: readonly EvaluatedTest[], rows: readonly EvaluationRow[]) {
  if (rows.length === 0 && tests.some(({ definitionIds }) => definitionIds.length > 0)) throw pageTooLarge();
  return Map.groupBy(rows, ({ testId }) => testId);
}

/** Loads the definitions and traces of evaluations, with one round trip to the database and one call to catalog. */
export async function fullEvaluations(
  deps: Pick<Deps, "stores" | "references">,
  call: Call,
  rows: readonly EvaluationRow[],
): Promise<ReturnType<typeof evaluation>[]> {
  if (rows.length === 0) return [];
  const tests = rows.map(({ testId: id, createdAt }) => ({ id, createdAt }));
  const definitionIds = rows.map(({ definitionId }) => definitionId);
  const [[traces], loaded] = await Promise.all([
    deps.stores.lookUp<[TraceOfTest]>(call, [tracesOfTests(call, tests)]),
    loadReferences(deps.references, call, definitionIds),
  ]);
  const traceByTest = latestTraceIds(traces);
  return rows.map((row) => evaluation(row, loaded, traceByTest.get(row.testId)));
}
