import { pageTooLarge } from "@ems/kit/answer-size";
import { clipped, clippedTo, type FindDropped, readBeside } from "@ems/kit/archive";
import { columnsOf } from "@ems/kit/db/columns";
import type { Statement } from "@ems/kit/db/database";
import { distinctIds } from "@ems/kit/id";
import type { Call } from "@ems/kit/rpc/call";
import { answerBytesMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { EvaluationEntity, type EvaluationRow } from "./entity.ts";
import { evaluation } from "./messages.ts";
import { loadReferences } from "./references.ts";

const columns = columnsOf(EvaluationEntity, "e");
const ofTests = `experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = ANY ($2::uuid[]) AND e.replaced_by IS NULL`;
// An evaluation has its test's time: partitions of other months are not read. No rows when the page is too large.
const ofPage = `WITH of_page AS MATERIALIZED (SELECT ${columns} FROM ${ofTests} AND e.created_at BETWEEN $3 AND $4)
  SELECT * FROM of_page WHERE ${answerBytesMax} >= (SELECT coalesce(sum(octet_length(results::text)), 0) FROM of_page)
  ORDER BY id`;

interface EvaluatedTest {
  readonly id: string;
  readonly createdAt: Date;
  readonly definitionIds: readonly string[];
}

export function evaluationsStatement(call: Call, tests: readonly EvaluatedTest[]): Statement {
  const times = tests.map(({ createdAt }) => createdAt.getTime());
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  return { text: ofPage, values: [call.tenant.applicationId, tests.map(({ id }) => id), first, last] };
}

/** For `readBeside`: evaluations of those of the tests that were dropped, until they are too large for an answer. */
export function findEvaluations(find: FindDropped, tests: readonly EvaluatedTest[]) {
  const [ids, times] = [tests.map(({ id }) => id), tests.map(({ createdAt }) => createdAt)];
  return find("evaluation", "test_id", ids, {
    within: (extent) => clippedTo(extent, times),
    rest: `AND r.replaced_by IS NULL QUALIFY sum(ifNull(length(r.results), 0)) OVER (
      ORDER BY r.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) <= ${answerBytesMax}`,
  });
}

/** The rows of the statement by test, sorted by id; throws where they were too large for an answer. */
export function byTest(tests: readonly EvaluatedTest[], rows: readonly object[]) {
  if (rows.length === 0 && tests.some(({ definitionIds }) => definitionIds.length > 0)) throw pageTooLarge();
  // The columns are those of the entity.
  return Map.groupBy(rows as EvaluationRow[], ({ testId }) => testId);
}

// The latest trace that names a test is its trace.
const ofTest = `SELECT DISTINCT ON (trace.test_id) trace.test_id AS "testId", trace.id, trace.created_at AS "createdAt"
  FROM experiments.trace trace WHERE trace.application_id = $1 AND trace.test_id = ANY ($2::uuid[])
  ORDER BY trace.test_id, trace.created_at DESC, trace.id`;
/** How long before its test a trace may have come: of live traffic, the trace comes first. */
const earlierMs = 86_400_000;

export function tracesStatement(call: Call, tests: readonly Pick<EvaluatedTest, "id">[]): Statement {
  const ids = distinctIds(tests.map(({ id }) => id));
  return { name: "traces-of-tests", text: ofTest, values: [call.tenant.applicationId, ids] };
}

/** For `readBeside`: the latest traces of the tests, of those that were dropped. */
export function findTraces(find: FindDropped, tests: readonly Pick<EvaluatedTest, "id" | "createdAt">[]) {
  const since = new Date(Math.min(...tests.map(({ createdAt }) => createdAt.getTime())) - earlierMs);
  const ids = distinctIds(tests.map(({ id }) => id));
  return find("trace", "test_id", ids, {
    within: (extent) => clipped(extent, since),
    rest: "ORDER BY r.created_at DESC, toString(r.id) LIMIT 1 BY r.test_id",
  });
}

/** The statement's rows: traces' ids by test. */
export function traceIds(rows: readonly object[]): ReadonlyMap<string, string> {
  return new Map((rows as { testId: string; id: string }[]).map(({ testId, id }) => [testId, id]));
}

const testsById = "SELECT t.id FROM experiments.test t WHERE t.application_id = $1 AND t.id = ANY ($2::uuid[])";

/** Tests' evaluations by test id, for traces; a test without any is not in the map. */
export async function evalsOfTests(
  deps: Pick<Deps, "stores" | "references">,
  call: Call,
  testIds: readonly string[],
): Promise<ReadonlyMap<string, FullEvaluation[]>> {
  if (testIds.length === 0) return new Map();
  const { stores } = deps;
  const values = [call.tenant.applicationId, testIds];
  const own = { name: "evaluations-of-tests", text: `SELECT ${columns} FROM ${ofTests} ORDER BY e.id`, values };
  const [rows = []] = await readBeside(stores, call, [own], async (find) => {
    const stored = await stores.database.read(call, { name: "tests-by-id", text: testsById, values });
    const options = { rest: "AND r.replaced_by IS NULL" };
    if (stored.length < testIds.length) await find("evaluation", "test_id", testIds, options);
  });
  return Map.groupBy(await fullEvaluations(deps, call, rows as EvaluationRow[]), ({ testId }) => testId ?? "");
}

type FullEvaluation = ReturnType<typeof evaluation>;

/** Evaluations with their definitions and traces, by one round trip to the database and one call to catalog. */
export async function fullEvaluations(
  deps: Pick<Deps, "stores" | "references">,
  call: Call,
  rows: readonly EvaluationRow[],
): Promise<FullEvaluation[]> {
  if (rows.length === 0) return [];
  const tests = rows.map(({ testId: id, createdAt }) => ({ id, createdAt }));
  const definitionIds = rows.map(({ definitionId }) => definitionId);
  const [[traces = []], loaded] = await Promise.all([
    readBeside(deps.stores, call, [tracesStatement(call, tests)], (find) => findTraces(find, tests)),
    loadReferences(deps.references, call, definitionIds),
  ]);
  const traceOf = traceIds(traces);
  return rows.map((row) => evaluation(row, loaded, traceOf.get(row.testId)));
}
