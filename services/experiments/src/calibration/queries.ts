// What a calibration reads: five statements of one round trip, whatever the number of evaluations; more where some were dropped.

import { clipped, type FindDropped, readBeside, type Stores, type TableExtent } from "@ems/kit/archive";
import type { Statement } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";

/** What tells one judge from another. */
export interface JudgeKey {
  readonly definitionVersion: number | null;
  readonly judgeVersion: string | null;
  readonly model: string | null;
}

/** How many traces one judge and people found so. */
export interface AgreementRow extends JudgeKey {
  readonly bothPass: number;
  readonly onlyJudgePasses: number;
  readonly onlyHumanPasses: number;
  readonly bothFail: number;
  readonly undecided: number;
}

/** What one judge found of all traces of the time. */
export interface JudgedRow extends JudgeKey {
  readonly evaluations: number;
  readonly passed: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** An evaluation whose trace nobody annotated, and that waits in no queue. */
export interface CandidateRow extends JudgeKey {
  readonly traceId: string;
  readonly testId: string;
  readonly taskId: string;
  readonly topicId: string | null;
}

/** How many traces of a task people passed and failed. */
export interface TaskRow {
  readonly taskId: string;
  readonly passed: number;
  readonly failed: number;
}

/** The application's floor of kappa; no row without one of its own. */
export interface FloorRow {
  readonly kappaFloor: number;
}

export interface Scope {
  readonly definitionId: string;
  readonly topicId: string | null;
  readonly from: Date;
  readonly until: Date | null;
  readonly now: Date;
}

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
const people = `SELECT r.test_id, t.created_at, count(*) FILTER (WHERE h.verdict) AS passes, count(*) FILTER (WHERE NOT h.verdict) AS fails
    FROM experiments.human_annotation h
    JOIN experiments.trace r ON r.application_id = h.application_id AND r.id = h.trace_id
    JOIN experiments.test t ON t.application_id = r.application_id AND t.id = r.test_id
    WHERE h.application_id = $1 AND (t.trace_id IS NULL OR t.trace_id = r.id)
    GROUP BY r.test_id, t.created_at`;
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
const newestTests = `SELECT e.test_id AS "testId" FROM ${newest}`;
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

const agreementStatement = (applicationId: string, definitionId: string, topicId: string | null): Statement => ({
  name: "calibration-agreement",
  text: agreement,
  values: [applicationId, definitionId, topicId],
});

const floor = `SELECT kappa_floor AS "kappaFloor" FROM experiments.execution_setting
  WHERE application_id = $1 AND kappa_floor IS NOT NULL`;

const annotated = `SELECT DISTINCT h.trace_id AS "traceId", r.test_id AS "testId",
    r.id IS NULL OR (r.test_id IS NOT NULL AND t.id IS NULL) AS "isApart"
  FROM experiments.human_annotation h
    LEFT JOIN experiments.trace r ON r.application_id = $1 AND r.id = h.trace_id
    LEFT JOIN experiments.test t ON t.application_id = $1 AND t.id = r.test_id
  WHERE h.application_id = $1`;
// After predicates, which are those of `inTime`.
const archivedResults = (row: string) => `AND ${hasResult(row)} AND ${row}.replaced_by IS NULL
  AND ({topic:Nullable(UUID)} IS NULL OR ${row}.topic_id = {topic:Nullable(UUID)})`;
const archivedNewest = `${archivedResults("r")} ORDER BY r.created_at DESC, toString(r.id) DESC LIMIT {limit:UInt32}`;
const archivedJudged = `SELECT ${judge("e")}, toFloat64(count()) AS evaluations, toFloat64(countIf(e.passed)) AS passed,
    toFloat64(toUnixTimestamp64Milli(min(e.created_at))) AS "firstAt", toFloat64(toUnixTimestamp64Milli(max(e.created_at))) AS "lastAt"
  FROM evaluation e WHERE e.definition_id = {definition:UUID} ${archivedResults("e")}
  GROUP BY e.definition_version, e.judge_version, e.model`;

/** What `agreement` reads of the archive, where that is anything or others read its tables, too. */
async function findAnnotated(
  { database }: Stores,
  call: Call,
  find: FindDropped,
  definitionId: string,
  isAlways: boolean,
) {
  const statement = { text: annotated, values: [call.tenant.applicationId] };
  type Annotated = { traceId: string; testId: string | null; isApart: boolean };
  const found = await database.read<Annotated>(call, statement);
  if (!isAlways && !found.some(({ isApart }) => isApart)) return;
  const ids = found.map(({ traceId }) => traceId);
  const traces = await find<Pick<Annotated, "testId">>("trace", "id", ids);
  const tests = [...found, ...traces].flatMap(({ testId }) => testId ?? []);
  await find("test", "id", tests);
  const ofTests = { rest: "AND r.test_id IN {tests:Array(UUID)}", parameters: { tests } };
  await find("evaluation", "definition_id", [definitionId], ofTests);
}

/** AgreementRow, and the JudgedRow of the newest result since then. */
export async function readKept(stores: Stores, call: Call, definitionId: string, since: Date) {
  const { applicationId } = call.tenant;
  const statements = [
    agreementStatement(applicationId, definitionId, null),
    { name: "calibration-latest", text: latest, values: [applicationId, definitionId, since] },
  ];
  const rows = await readBeside(stores, call, statements, async (find, [, newest]) => {
    await findAnnotated(stores, call, find, definitionId, false);
    await find("evaluation", "definition_id", [definitionId], {
      within: (extent) => clipped(extent, newest?.[0]?.lastAt ?? since),
      rest: archivedNewest,
      parameters: { topic: null, limit: 1 },
    });
  });
  // Row types follow the statements' select lists.
  return rows as [AgreementRow[], JudgedRow[]];
}

type Rows = [AgreementRow[], JudgedRow[], CandidateRow[], TaskRow[], Partial<FloorRow>[]];

/** Of several JudgedRows of one judge some are the archive's. */
export async function readRows(stores: Stores, call: Call, scope: Scope): Promise<Rows> {
  const { definitionId, topicId: topic, from, until } = scope;
  const within = (extent: TableExtent) => clipped(extent, from, until ?? undefined);
  let judges: JudgedRow[] | undefined;
  const read = readBeside(stores, call, calibrationStatements(call, scope), async (find, found, { results }) => {
    await findAnnotated(stores, call, find, definitionId, true);
    const values = [call.tenant.applicationId, definitionId, topic, from, until];
    const own = await stores.database.read<{ testId: string }>(call, { text: newestTests, values });
    const options = { within, rest: archivedNewest, parameters: { topic, limit: candidatesMax } };
    const others = await find<{ testId: string }>("evaluation", "definition_id", [definitionId], options);
    const tests = [...own, ...others].map(({ testId }) => testId);
    await find("test", "id", tests);
    await find("trace", "test_id", tests);
    const extents = { evaluation: within(results) };
    const parameters = { definition: definitionId, topic };
    const archived = await stores.readDropped<JudgedRow>(call, extents, archivedJudged, parameters);
    const dated = archived.map((row) => ({ ...row, firstAt: new Date(row.firstAt), lastAt: new Date(row.lastAt) }));
    judges = [...(found[1] as JudgedRow[]), ...dated];
  });
  // Row types follow the statements' select lists.
  const [agreements, judged, ...others] = (await read) as Rows;
  return [agreements, judges ?? judged, ...others];
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
