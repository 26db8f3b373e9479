// Reads archived evaluations by the judges of a definition.

import type { ArchivedRanges, Stores } from "@ems/archive";
import type { Call } from "@ems/kit/rpc/call";
import { evaluationScoreSql } from "@ems/proto/scales";
import type { AgreementRow, JudgedRow, JudgeKey, Scope } from "./rows.ts";

/** A person's annotation of a trace whose test is archived. */
export interface AnnotatedTest {
  readonly testId: string;
  readonly traceId: string;
  readonly verdict: boolean;
  readonly scoreMicro: number | null;
}

type OfDefinition = Pick<Scope, "definitionId" | "topicId">;

const judge = `e.definition_version AS "definitionVersion", e.judge_version AS "judgeVersion", e.model AS model`;
const ofDefinition = `e.definition_id = {definition:UUID} AND e.status = 'COMPLETED' AND e.passed IS NOT NULL
  AND ({topic:Nullable(UUID)} IS NULL OR e.topic_id = {topic:Nullable(UUID)})`;

const judged = `SELECT ${judge}, toFloat64(count()) AS evaluations, toFloat64(countIf(e.passed)) AS passed,
    toFloat64(toUnixTimestamp64Milli(min(e.created_at))) AS "firstMs", toFloat64(toUnixTimestamp64Milli(max(e.created_at))) AS "lastMs"
  FROM evaluation e WHERE ${ofDefinition} AND e.replaced_by IS NULL GROUP BY e.definition_version, e.judge_version, e.model`;

// Includes evaluations that a rerun replaced: each counts for the judge that made it.
const results = `SELECT toString(e.test_id) AS "testId", toString(t.trace_id) AS "closedBy", ${judge},
    argMax(e.passed, toString(e.id)) AS "isPassed",
    CAST(tupleElement(argMax(tuple(${evaluationScoreSql("e")}), toString(e.id)), 1) AS Nullable(Float64)) AS "scoreMicro"
  FROM evaluation e JOIN test t ON t.id = e.test_id
  WHERE ${ofDefinition} AND e.test_id IN {tests:Array(UUID)}
  GROUP BY e.test_id, t.trace_id, e.definition_version, e.judge_version, e.model`;

/** Returns one row per judge, with the counts of its archived decisions. */
export async function readArchivedJudges(
  stores: Stores,
  call: Call,
  evaluation: ArchivedRanges,
  { definitionId, topicId }: OfDefinition,
): Promise<JudgedRow[]> {
  const parameters = { definition: definitionId, topic: topicId };
  type Row = Omit<JudgedRow, "firstAt" | "lastAt"> & { readonly firstMs: number; readonly lastMs: number };
  const rows = await stores.query<Row>(call, { evaluation }, judged, parameters);
  return rows.map(({ firstMs, lastMs, ...row }) => ({
    ...row,
    firstAt: new Date(firstMs),
    lastAt: new Date(lastMs),
  }));
}

/** Returns one row per judge and test; a trace counts by the majority of its annotations. */
export async function readArchivedAgreements(
  stores: Stores,
  call: Call,
  range: ArchivedRanges,
  { definitionId, topicId }: OfDefinition,
  verdicts: readonly AnnotatedTest[],
): Promise<AgreementRow[]> {
  if (verdicts.length === 0) return [];
  const byTest = Map.groupBy(verdicts, ({ testId }) => testId);
  const parameters = { definition: definitionId, topic: topicId, tests: [...byTest.keys()] };
  type Row = JudgeKey & {
    readonly testId: string;
    readonly closedBy: string | null;
    readonly isPassed: boolean;
    readonly scoreMicro: number | null;
  };
  const rows = await stores.query<Row>(call, { evaluation: range, test: range }, results, parameters);
  return rows.flatMap(({ testId, closedBy, isPassed, scoreMicro, ...key }) => {
    const found = (byTest.get(testId) ?? []).filter(({ traceId }) => closedBy === null || closedBy === traceId);
    if (found.length === 0) return [];
    const passes = found.filter(({ verdict }) => verdict).length;
    const fails = found.length - passes;
    const human = found.flatMap((annotation) => annotation.scoreMicro ?? []);
    const humanMean = human.reduce((sum, score) => sum + score, 0) / human.length;
    return {
      ...key,
      bothPass: Number(isPassed && passes > fails),
      onlyJudgePasses: Number(isPassed && fails > passes),
      onlyHumanPasses: Number(!isPassed && passes > fails),
      bothFail: Number(!isPassed && fails > passes),
      undecided: Number(passes === fails),
      scores: scoreMicro === null || human.length === 0 ? [] : [[scoreMicro / 1e6, humanMean / 1e6] as const],
    };
  });
}
