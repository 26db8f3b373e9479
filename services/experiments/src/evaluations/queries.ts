import { pageTooLarge } from "@ems/kit/answer-size";
import { archivedColumnsOf, clipped, clippedTo, type Dropped } from "@ems/kit/archive";
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
const archivedColumns = archivedColumnsOf(EvaluationEntity, "e");
const archivedOfTests = "evaluation e WHERE e.test_id IN {ids:Array(UUID)} AND e.replaced_by IS NULL";
const archivedBytes = `SELECT sum(length(e.results)) AS bytes FROM ${archivedOfTests}`;
const archivedEvaluations = `SELECT ${archivedColumns} FROM ${archivedOfTests} ORDER BY toString(e.id)`;

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

/** The rows of the statement and those that were dropped by test, sorted by id; throws when they are too large for an answer. */
export async function byTest(
  { stores }: Pick<Deps, "stores">,
  call: Call,
  tests: readonly EvaluatedTest[],
  rows: unknown,
  dropped: Dropped<"results">,
): Promise<ReadonlyMap<string, EvaluationRow[]>> {
  // The columns are those of the entity.
  const own = rows as EvaluationRow[];
  const evaluated = tests.filter(({ definitionIds }) => definitionIds.length > 0);
  const isDropped = ({ createdAt }: EvaluatedTest) => clippedTo(dropped.results, [createdAt]).intervals.length > 0;
  if (own.length === 0 && !evaluated.every(isDropped)) throw pageTooLarge();
  const times = evaluated.map(({ createdAt }) => createdAt);
  const [extent, ids] = [clippedTo(dropped.results, times), evaluated.map(({ id }) => id)];
  const [size] = await stores.readDropped<{ bytes: string }>(call, { evaluation: extent }, archivedBytes, { ids });
  if (Number(size?.bytes ?? 0) > answerBytesMax) throw pageTooLarge();
  const archived = await stores.readDroppedRows(call, EvaluationEntity, extent, archivedEvaluations, { ids });
  return Map.groupBy([...own, ...archived], ({ testId }) => testId);
}

// The latest trace that names a test is its trace.
const ofTest = `SELECT DISTINCT ON (trace.test_id) trace.test_id AS "testId", trace.id, trace.created_at AS "createdAt"
  FROM experiments.trace trace WHERE trace.application_id = $1 AND trace.test_id = ANY ($2::uuid[])
  ORDER BY trace.test_id, trace.created_at DESC, trace.id`;
const archivedOfTest = `SELECT trace.test_id AS "testId", trace.id AS id, toUnixTimestamp64Milli(trace.created_at) AS "createdAt"
  FROM trace trace WHERE trace.test_id IN {ids:Array(UUID)}
  ORDER BY trace.created_at DESC, toString(trace.id) LIMIT 1 BY trace.test_id`;
/** How long before its test a trace may have come: of live traffic, the trace comes first. */
const earlierMs = 86_400_000;

interface NamingTrace {
  readonly testId: string;
  readonly id: string;
  readonly createdAt: Date | string;
}

export function tracesStatement(call: Call, testIds: readonly string[]): Statement {
  return { name: "traces-of-tests", text: ofTest, values: [call.tenant.applicationId, distinctIds(testIds)] };
}

/** The rows of the statement and what was dropped: traces' ids by test. */
export async function traceIds(
  { stores }: Pick<Deps, "stores">,
  call: Call,
  tests: readonly { readonly id: string; readonly createdAt: Date }[],
  rows: unknown,
  dropped: Dropped<"traces">,
): Promise<ReadonlyMap<string, string>> {
  const since = new Date(Math.min(...tests.map(({ createdAt }) => createdAt.getTime())) - earlierMs);
  const extents = { trace: clipped(dropped.traces, since) };
  const ids = distinctIds(tests.map(({ id }) => id));
  const archived = await stores.readDropped<NamingTrace>(call, extents, archivedOfTest, { ids });
  const latest = [...(rows as NamingTrace[]), ...archived].sort(
    (a, b) => Number(a.createdAt) - Number(b.createdAt) || (a.id < b.id ? 1 : -1),
  );
  return new Map(latest.map(({ testId, id }) => [testId, id]));
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
  const tests = stores.hasArchive ? [{ name: "tests-by-id", text: testsById, values }] : [];
  const { found, dropped } = await stores.read(call, ["results"], [own, ...tests]);
  const stored = new Set(found[1]?.map(({ id }) => id));
  const ids = testIds.filter((id) => !stored.has(id));
  const extent = ids.length > 0 ? dropped.results : clippedTo(dropped.results, []);
  const archived = await stores.readDroppedRows(call, EvaluationEntity, extent, archivedEvaluations, { ids });
  const rows = [...((found[0] ?? []) as EvaluationRow[]), ...archived];
  return Map.groupBy(await fullEvaluations(deps, call, rows), ({ testId }) => testId ?? "");
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
  const readTraces = async () => {
    const testIds = tests.map(({ id }) => id);
    const { found, dropped } = await deps.stores.read(call, ["traces"], [tracesStatement(call, testIds)]);
    return traceIds(deps, call, tests, found[0], dropped);
  };
  const definitionIds = rows.map(({ definitionId }) => definitionId);
  const [traceOf, loaded] = await Promise.all([readTraces(), loadReferences(deps.references, call, definitionIds)]);
  return rows.map((row) => evaluation(row, loaded, traceOf.get(row.testId)));
}
