// What a calibration reads: five statements of one round trip, whatever the number of evaluations; more where some are in the archive.

import { clipped, type Stores } from "@ems/archive";
import type { Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { type AnnotatedTest, readArchivedAgreements, readArchivedJudges } from "./archived-judges.ts";
import type { AgreementRow, CandidateRow, FloorRow, JudgedRow, Scope, TaskRow } from "./rows.ts";

/** The newest evaluations among which traces to annotate are chosen. */
const candidatesMax = 2_000;

const judge = (row: string) =>
  `${row}.definition_version AS "definitionVersion", ${row}.judge_version AS "judgeVersion", ${row}.model`;
const hasResult = (row: string) => `${row}.status = 'COMPLETED' AND ${row}.passed IS NOT NULL`;
const ofDefinition = `e.application_id = $1 AND e.definition_id = $2 AND ($3::uuid IS NULL OR e.topic_id = $3) AND ${hasResult("e")}`;
const inTime = `${ofDefinition} AND e.replaced_by IS NULL AND e.created_at >= $4
  AND ($5::timestamptz IS NULL OR e.created_at < $5)`;

// A trace counts by the majority of people; the judged trace of a test is the one that closed it, else any that names it. What a
// rerun replaced counts for the judge that it was made by: reruns are how judges of several versions see the same traces.
// An annotation knows the test that its trace had then; the trace may have been archived since.
const testOfAnnotation = `SELECT h.trace_id, h.verdict, coalesce(r.test_id, h.test_id) AS test_id
    FROM experiments.human_annotation h
    LEFT JOIN experiments.trace r ON r.application_id = h.application_id AND r.id = h.trace_id
    WHERE h.application_id = $1`;
const people = `SELECT h.test_id, t.created_at, count(*) FILTER (WHERE h.verdict) AS passes, count(*) FILTER (WHERE NOT h.verdict) AS fails
    FROM (${testOfAnnotation}) h
    JOIN experiments.test t ON t.application_id = $1 AND t.id = h.test_id
    WHERE t.trace_id IS NULL OR t.trace_id = h.trace_id
    GROUP BY h.test_id, t.created_at`;
const agreement = `WITH people AS (${people}), latest AS (
    SELECT DISTINCT ON (e.test_id, e.definition_version, e.judge_version, e.model)
      e.definition_version, e.judge_version, e.model, e.passed, p.passes > p.fails AS pass, p.fails > p.passes AS fail
    FROM people p JOIN experiments.evaluation e ON e.test_id = p.test_id AND e.created_at = p.created_at
    WHERE ${ofDefinition}
    ORDER BY e.test_id, e.definition_version, e.judge_version, e.model, e.id DESC)
  SELECT ${judge("l")}, count(*) FILTER (WHERE l.passed AND l.pass)::int AS "bothPass",
    count(*) FILTER (WHERE l.passed AND l.fail)::int AS "onlyJudgePasses",
    count(*) FILTER (WHERE NOT l.passed AND l.pass)::int AS "onlyHumanPasses",
    count(*) FILTER (WHERE NOT l.passed AND l.fail)::int AS "bothFail",
    count(*) FILTER (WHERE NOT l.pass AND NOT l.fail)::int AS undecided
  FROM latest l GROUP BY l.definition_version, l.judge_version, l.model`;

const judged = `SELECT ${judge("e")}, count(*)::float8 AS evaluations, count(*) FILTER (WHERE e.passed)::float8 AS passed,
    min(e.created_at) AS "firstAt", max(e.created_at) AS "lastAt"
  FROM experiments.evaluation e WHERE ${inTime} GROUP BY e.definition_version, e.judge_version, e.model`;

const newest = `experiments.evaluation e WHERE ${inTime} ORDER BY e.created_at DESC, e.id DESC LIMIT ${candidatesMax}`;
const candidates = `SELECT c.* FROM (
    SELECT DISTINCT ON (e.created_at, e.id) ${judge("e")}, r.id AS "traceId", e.test_id AS "testId", e.task_id AS "taskId", e.topic_id AS "topicId"
    FROM (SELECT e.* FROM ${newest}) e
    JOIN experiments.test t ON t.application_id = $1 AND t.id = e.test_id AND t.created_at = e.created_at
    JOIN experiments.trace r ON r.application_id = $1 AND r.test_id = e.test_id AND (t.trace_id IS NULL OR r.id = t.trace_id)
    ORDER BY e.created_at DESC, e.id DESC, r.created_at DESC, r.id) c
  WHERE NOT EXISTS (SELECT FROM experiments.human_annotation h WHERE h.application_id = $1 AND h.trace_id = c."traceId")
    AND NOT EXISTS (SELECT FROM experiments.human_annotation_queue_item i
      WHERE i.application_id = $1 AND i.trace_id = c."traceId" AND i.completed_at IS NULL AND i.expires_at > $6)`;

const byTask = `SELECT h.task_id AS "taskId", count(*) FILTER (WHERE h.verdict)::int AS passed,
    count(*) FILTER (WHERE NOT h.verdict)::int AS failed
  FROM experiments.human_annotation h WHERE h.application_id = $1 AND h.task_id IS NOT NULL GROUP BY h.task_id`;

// The judge of the newest result, as a JudgedRow that counts nothing.
const latest = `SELECT ${judge("e")}, 0 AS evaluations, 0 AS passed, e.created_at AS "firstAt", e.created_at AS "lastAt"
  FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.definition_id = $2 AND ${hasResult("e")} AND e.replaced_by IS NULL AND e.created_at >= $3
  ORDER BY e.created_at DESC, e.id DESC LIMIT 1`;

const verdictsOfArchived = `SELECT h.test_id AS "testId", h.trace_id AS "traceId", h.verdict FROM (${testOfAnnotation}) h
  WHERE h.test_id IS NOT NULL AND NOT EXISTS (SELECT FROM experiments.test t WHERE t.application_id = $1 AND t.id = h.test_id)`;

const agreementStatement = (applicationId: string, definitionId: string, topicId: string | null): Statement => ({
  name: "calibration-agreement",
  text: agreement,
  values: [applicationId, definitionId, topicId],
});

const floor = `SELECT kappa_floor AS "kappaFloor" FROM experiments.execution_setting
  WHERE application_id = $1 AND kappa_floor IS NOT NULL`;

/** AgreementRow, and the JudgedRow of the newest result since then. */
export async function readKept(stores: Stores, call: Call, definitionId: string, since: Date) {
  const { applicationId } = call.tenant;
  const statements = [
    agreementStatement(applicationId, definitionId, null),
    { name: "calibration-latest", text: latest, values: [applicationId, definitionId, since] },
    ...archivedVerdicts(stores, applicationId),
  ];
  const { found, extents } = await stores.read(call, ["results"], statements);
  // Row types follow the statements' select lists.
  const [agreements = [], judged = [], verdicts = []] = found as [AgreementRow[], JudgedRow[], AnnotatedTest[]?];
  const scope = { definitionId, topicId: null };
  const archived = await readArchivedAgreements(stores, call, extents.results, scope, verdicts);
  const others =
    judged.length > 0 ? [] : await readArchivedJudges(stores, call, clipped(extents.results, since), scope);
  return [
    [...agreements, ...archived],
    [...judged, ...others],
  ] as const;
}

type Rows = [AgreementRow[], JudgedRow[], CandidateRow[], TaskRow[], Partial<FloorRow>[]];

/** Of several AgreementRows or JudgedRows of one judge some are the archive's. Traces to annotate are PostgreSQL's. */
export async function readRows(stores: Stores, call: Call, scope: Scope): Promise<Rows> {
  const statements = [...calibrationStatements(call, scope), ...archivedVerdicts(stores, call.tenant.applicationId)];
  const { found, extents } = await stores.read(call, ["results"], statements);
  // Row types follow the statements' select lists.
  const [agreements, judged, candidates, tasks, floors, verdicts = []] = found as [...Rows, AnnotatedTest[]?];
  const within = clipped(extents.results, scope.from, scope.until ?? undefined);
  const [archived, others] = await Promise.all([
    readArchivedAgreements(stores, call, extents.results, scope, verdicts),
    readArchivedJudges(stores, call, within, scope),
  ]);
  return [[...agreements, ...archived], [...judged, ...others], candidates, tasks, floors];
}

function archivedVerdicts(stores: Stores, applicationId: string): Statement[] {
  return stores.hasArchive ? [{ name: "archived-verdicts", text: verdictsOfArchived, values: [applicationId] }] : [];
}

/** The statements of AgreementRow, JudgedRow, CandidateRow, TaskRow and FloorRow, in this order. */
function calibrationStatements({ tenant }: Call, { definitionId, topicId, from, until, now }: Scope): Statement[] {
  const ofAll = [tenant.applicationId, definitionId, topicId];
  return [
    agreementStatement(tenant.applicationId, definitionId, topicId),
    { name: "calibration-judged", text: judged, values: [...ofAll, from, until] },
    { name: "calibration-candidates", text: candidates, values: [...ofAll, from, until, now] },
    { name: "calibration-tasks", text: byTask, values: [tenant.applicationId] },
    { name: "calibration-floor", text: floor, values: [tenant.applicationId] },
  ];
}
