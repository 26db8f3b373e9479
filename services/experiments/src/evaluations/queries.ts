import { pageTooLarge } from "@ems/kit/answer-size";
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

/** The rows of the statement by test, sorted by id; throws when the page is too large for an answer. */
export function byTest(tests: readonly EvaluatedTest[], rows: unknown): ReadonlyMap<string, EvaluationRow[]> {
  // The columns are those of the entity.
  const evaluations = rows as EvaluationRow[];
  if (evaluations.length === 0 && tests.some(({ definitionIds }) => definitionIds.length > 0)) throw pageTooLarge();
  return Map.groupBy(evaluations, ({ testId }) => testId);
}

// The latest trace that names a test is its trace.
const traces = `SELECT DISTINCT ON (trace.test_id) trace.test_id AS "testId", trace.id FROM experiments.trace trace
  WHERE trace.application_id = $1 AND trace.test_id = ANY ($2::uuid[]) ORDER BY trace.test_id, trace.created_at DESC, trace.id`;

export function tracesStatement(call: Call, testIds: readonly string[]): Statement {
  return { name: "traces-of-tests", text: traces, values: [call.tenant.applicationId, testIds] };
}

/** The rows of the statement: traces' ids by test. */
export function traceIds(rows: unknown): ReadonlyMap<string, string> {
  return new Map((rows as { testId: string; id: string }[]).map(({ testId, id }) => [testId, id]));
}

/** Tests' evaluations by test id, for traces; a test without any is not in the map. */
export async function evalsOfTests(
  deps: Pick<Deps, "database" | "references">,
  call: Call,
  testIds: readonly string[],
): Promise<ReadonlyMap<string, FullEvaluation[]>> {
  if (testIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, testIds];
  const text = `SELECT ${columns} FROM ${ofTests} ORDER BY e.id`;
  const rows = await deps.database.read<EvaluationRow>(call, { name: "evaluations-of-tests", text, values });
  return Map.groupBy(await fullEvaluations(deps, call, rows), ({ testId }) => testId ?? "");
}

type FullEvaluation = ReturnType<typeof evaluation>;

/** Evaluations with their definitions and traces, by one round trip to the database and one call to catalog. */
export async function fullEvaluations(
  { database, references }: Pick<Deps, "database" | "references">,
  call: Call,
  rows: readonly EvaluationRow[],
): Promise<FullEvaluation[]> {
  if (rows.length === 0) return [];
  const testIds = distinctIds(rows.map(({ testId }) => testId));
  const definitionIds = rows.map(({ definitionId }) => definitionId);
  const [traces, loaded] = await Promise.all([
    database.read(call, tracesStatement(call, testIds)),
    loadReferences(references, call, definitionIds),
  ]);
  const traceOf = traceIds(traces);
  return rows.map((row) => evaluation(row, loaded, traceOf.get(row.testId)));
}
