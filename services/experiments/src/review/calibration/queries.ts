// Reads a calibration with one round trip to its own tables and one to traces, for any number of evaluations. Needs
// more if some rows are archived, or if traces got a test after their annotation.

import { clipToRange, type Stores } from "@ems/archive";
import type { Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { evaluationScoreSql } from "@ems/proto/scales";
import { findTraces } from "../../traces/index.ts";
import { type AnnotatedTest, readArchivedAgreements, readArchivedJudges } from "./archived-judges.ts";
import { findCandidates, type ResultRow, resultColumns, waitingStatement } from "./candidates.ts";
import type { AgreementRow, CandidateRow, FloorRow, JudgedRow, Scope, TaskRow } from "./rows.ts";

/** Number of the newest evaluations whose traces are considered for annotation. */
const candidatesMax = 2_000;

const judge = (row: string) =>
  `${row}.definition_version AS "definitionVersion", ${row}.judge_version AS "judgeVersion", ${row}.model`;
const hasResult = (row: string) => `${row}.status = 'COMPLETED' AND ${row}.passed IS NOT NULL`;
const ofDefinition = `e.application_id = $1 AND e.definition_id = $2 AND ($3::uuid IS NULL OR e.topic_id = $3) AND ${hasResult("e")}`;
const inTime = `${ofDefinition} AND e.replaced_by IS NULL AND e.created_at >= $4
  AND ($5::timestamptz IS NULL OR e.created_at < $5)`;

// A trace counts by the majority of its annotations for the definition. The judged trace of a test is the one that closed it, else any
// trace that names it. A replaced evaluation counts for the judge that made it, because reruns let judges of several
// versions see the same traces.
const testOfAnnotation = (
  traceIds: string,
  testIds: string,
  definitionId: string,
) => `SELECT h.trace_id, h.verdict, h.score_micro, coalesce(h.test_id, later.test_id) AS test_id
    FROM experiments.human_annotation h
    LEFT JOIN unnest(${traceIds}::uuid[], ${testIds}::uuid[]) AS later (trace_id, test_id)
      ON h.test_id IS NULL AND later.trace_id = h.trace_id
    WHERE h.application_id = $1 AND h.definition_id = ${definitionId}`;
const untested = `SELECT DISTINCT h.trace_id AS id FROM experiments.human_annotation h
  WHERE h.application_id = $1 AND h.definition_id = $2 AND h.test_id IS NULL`;
const people = `SELECT h.test_id, t.created_at, count(*) FILTER (WHERE h.verdict) AS passes, count(*) FILTER (WHERE NOT h.verdict) AS fails,
      avg(h.score_micro) AS score_micro
    FROM (${testOfAnnotation("$4", "$5", "$2")}) h
    JOIN experiments.test t ON t.application_id = $1 AND t.id = h.test_id
    WHERE t.trace_id IS NULL OR t.trace_id = h.trace_id
    GROUP BY h.test_id, t.created_at`;
const agreement = `WITH people AS (${people}), latest AS (
    SELECT DISTINCT ON (e.test_id, e.definition_version, e.judge_version, e.model)
      e.definition_version, e.judge_version, e.model, e.test_id, e.passed, ${evaluationScoreSql("e")} AS score_micro,
      p.score_micro AS human_micro, p.passes > p.fails AS pass, p.fails > p.passes AS fail
    FROM people p JOIN experiments.evaluation e ON e.test_id = p.test_id AND e.created_at = p.created_at
    WHERE ${ofDefinition}
    ORDER BY e.test_id, e.definition_version, e.judge_version, e.model, e.id DESC)
  SELECT ${judge("l")}, count(*) FILTER (WHERE l.passed AND l.pass)::int AS "bothPass",
    count(*) FILTER (WHERE l.passed AND l.fail)::int AS "onlyJudgePasses",
    count(*) FILTER (WHERE NOT l.passed AND l.pass)::int AS "onlyHumanPasses",
    count(*) FILTER (WHERE NOT l.passed AND l.fail)::int AS "bothFail",
    count(*) FILTER (WHERE NOT l.pass AND NOT l.fail)::int AS undecided,
    coalesce(json_agg(json_build_array(l.score_micro::float8 / 1e6, l.human_micro::float8 / 1e6) ORDER BY l.test_id)
      FILTER (WHERE l.score_micro IS NOT NULL AND l.human_micro IS NOT NULL), '[]') AS scores
  FROM latest l GROUP BY l.definition_version, l.judge_version, l.model`;

const judged = `SELECT ${judge("e")}, count(*)::float8 AS evaluations, count(*) FILTER (WHERE e.passed)::float8 AS passed,
    min(e.created_at) AS "firstAt", max(e.created_at) AS "lastAt"
  FROM experiments.evaluation e WHERE ${inTime} GROUP BY e.definition_version, e.judge_version, e.model`;

const newest = `experiments.evaluation e WHERE ${inTime} ORDER BY e.created_at DESC, e.id DESC LIMIT ${candidatesMax}`;
const results = `SELECT ${judge("e")}, ${resultColumns}
  FROM (SELECT e.* FROM ${newest}) e
  JOIN experiments.test t ON t.application_id = $1 AND t.id = e.test_id AND t.created_at = e.created_at`;

const byTask = `SELECT h.task_id AS "taskId", count(*) FILTER (WHERE h.verdict)::int AS passed,
    count(*) FILTER (WHERE NOT h.verdict)::int AS failed
  FROM experiments.human_annotation h WHERE h.application_id = $1 AND h.definition_id = $2 AND h.task_id IS NOT NULL GROUP BY h.task_id`;

// Selects the judge of the newest result, as a JudgedRow with zero counts.
const latest = `SELECT ${judge("e")}, 0 AS evaluations, 0 AS passed, e.created_at AS "firstAt", e.created_at AS "lastAt"
  FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.definition_id = $2 AND ${hasResult("e")} AND e.replaced_by IS NULL AND e.created_at >= $3
  ORDER BY e.created_at DESC, e.id DESC LIMIT 1`;

const verdictsOfArchived = `SELECT h.test_id AS "testId", h.trace_id AS "traceId", h.verdict,
    h.score_micro::float8 AS "scoreMicro" FROM (${testOfAnnotation("$2", "$3", "$4")}) h
  WHERE h.test_id IS NOT NULL AND NOT EXISTS (SELECT FROM experiments.test t WHERE t.application_id = $1 AND t.id = h.test_id)`;

const floor = `SELECT kappa_floor AS "kappaFloor" FROM experiments.execution_setting
  WHERE application_id = $1 AND kappa_floor IS NOT NULL`;

/** Reads the AgreementRows, and the JudgedRow of the newest result in the time range. */
export async function readKept(stores: Stores, call: Call, definitionId: string, since: Date) {
  const { applicationId } = call.tenant;
  const scope = { definitionId, topicId: null };
  const statements = [
    { name: "calibration-latest", text: latest, values: [applicationId, definitionId, since] },
    { name: "calibration-untested", text: untested, values: [applicationId, definitionId] },
  ];
  const read = await stores.read(call, ["results"], [...statements, ...agreementStatements(stores, call, scope)]);
  // Safe cast: the row types match the statements' select lists.
  const [judged = [], annotated = []] = read.found as [JudgedRow[], Id[]];
  const agreements = await readAgreements(stores, call, scope, annotated, {
    found: read.found.slice(statements.length),
    archivedRanges: read.archivedRanges,
  });
  const archivedRows =
    judged.length > 0
      ? []
      : await readArchivedJudges(stores, call, clipToRange(read.archivedRanges.results, since), scope);
  return [agreements, [...judged, ...archivedRows]] as const;
}

type Rows = [AgreementRow[], JudgedRow[], CandidateRow[], TaskRow[], Partial<FloorRow>[]];

/**
 * Reads all rows of a calibration. AgreementRows and JudgedRows of one judge may come from both PostgreSQL and the
 * archive; candidates come only from PostgreSQL.
 */
export async function readRows(stores: Stores, call: Call, scope: Scope): Promise<Rows> {
  const statements = calibrationStatements(call, scope);
  const read = await stores.read(call, ["results"], [...statements, ...agreementStatements(stores, call, scope)]);
  // Safe cast: the row types match the statements' select lists.
  const [judged, newestResults, waiting, tasks, floors, annotated] = read.found as [
    ...[JudgedRow[], ResultRow[], Id[], TaskRow[], Partial<FloorRow>[], Id[]],
  ];
  const excluded = new Set([...waiting, ...annotated].map(({ id }) => id));
  const within = clipToRange(read.archivedRanges.results, scope.from, scope.until ?? undefined);
  const [agreements, candidates, archivedJudges] = await Promise.all([
    readAgreements(stores, call, scope, annotated, {
      found: read.found.slice(statements.length),
      archivedRanges: read.archivedRanges,
    }),
    findCandidates(stores, call, newestResults, excluded),
    readArchivedJudges(stores, call, within, scope),
  ]);
  return [agreements, [...judged, ...archivedJudges], candidates, tasks, floors];
}

interface Id {
  readonly id: string;
}

type OfDefinition = Pick<Scope, "definitionId" | "topicId">;

/**
 * Reads the AgreementRows of both stores. Reads them a second time if traces that were annotated without a test have
 * one by now.
 */
async function readAgreements(
  stores: Stores,
  call: Call,
  scope: OfDefinition,
  annotated: readonly Id[],
  read: Awaited<ReturnType<typeof stores.read<"results">>>,
): Promise<AgreementRow[]> {
  const ids = annotated.map(({ id }) => id);
  const traces = await findTraces(stores, call, ids);
  const later = ids.flatMap((id) => {
    const trace = traces.get(id);
    return trace?.state === "stored" && trace.testId !== null ? [[id, trace.testId] as const] : [];
  });
  const { found, archivedRanges } =
    later.length === 0 ? read : await stores.read(call, ["results"], agreementStatements(stores, call, scope, later));
  // Safe cast: the row types match the statements' select lists.
  const [agreements, verdicts = []] = found as [AgreementRow[], AnnotatedTest[]?];
  return [...agreements, ...(await readArchivedAgreements(stores, call, archivedRanges.results, scope, verdicts))];
}

/**
 * Builds the statements that return AgreementRow and, with an archive, AnnotatedTest. `later` contains the tests that
 * annotated traces got after their annotation.
 */
function agreementStatements(
  stores: Stores,
  { tenant }: Call,
  { definitionId, topicId }: OfDefinition,
  later: readonly (readonly [traceId: string, testId: string])[] = [],
): Statement[] {
  const pairs = [later.map(([traceId]) => traceId), later.map(([, testId]) => testId)];
  const { applicationId } = tenant;
  const ofArchived = {
    name: "archived-verdicts",
    text: verdictsOfArchived,
    values: [applicationId, ...pairs, definitionId],
  };
  return [
    { name: "calibration-agreement", text: agreement, values: [applicationId, definitionId, topicId, ...pairs] },
    ...(stores.hasArchive ? [ofArchived] : []),
  ];
}

/**
 * Builds the statements for JudgedRow, ResultRow, the ids of queued traces, TaskRow, FloorRow, and the ids of annotated
 * traces without a test, in this order.
 */
function calibrationStatements({ tenant }: Call, { definitionId, topicId, from, until, now }: Scope): Statement[] {
  const ofTime = [tenant.applicationId, definitionId, topicId, from, until];
  return [
    { name: "calibration-judged", text: judged, values: ofTime },
    { name: "calibration-results", text: results, values: ofTime },
    waitingStatement(tenant.applicationId, definitionId, now),
    { name: "calibration-tasks", text: byTask, values: [tenant.applicationId, definitionId] },
    { name: "calibration-floor", text: floor, values: [tenant.applicationId] },
    { name: "calibration-untested", text: untested, values: [tenant.applicationId, definitionId] },
  ];
}
