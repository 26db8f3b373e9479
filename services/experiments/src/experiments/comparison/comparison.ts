// Builds the message of a comparison from the results of two runs.

import { buildMessage } from "@ems/kit/message";
import type { Call } from "@ems/kit/rpc/call";
import { holm } from "@ems/kit/statistics";
import { ComparedDefinitionSchema } from "@ems/proto/experiments/v1/comparison";
import { loadReferences, type References } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { compare, testedP } from "./compare.ts";
import { judgeNote, judgesNote } from "./judge-notes.ts";
import { definitionVersionsNote, joinNotes, judgeVersionsNote } from "./judge-versions-note.ts";
import { buildDifference, changedSide } from "./messages.ts";
import type { EvaluationResultRow, TestResultRow, UsageRow } from "./rows.ts";
import { buildSide, definitionSide, type Side, taskResults, toTaskResults } from "./side.ts";
import type { TaskResults } from "./task-results.ts";

export const detectDefault = 0.05;
const changedTasksMax = 1_000;

/** Compares two runs by the rows of `readResults`, with one call to catalog. A run without rows has no results. */
export async function comparison(
  { references }: Pick<Deps, "references">,
  call: Call,
  results: readonly (readonly object[])[],
  runIds: readonly [baseline: string | null, variant: string | null],
  detect: number,
) {
  const sides = buildSides(results, runIds);
  const changed = changedTasks(sides);
  const definitionIds = sides.flatMap(({ side }) => side.evaluations.map(({ definitionId }) => definitionId));
  const taskIds = changed.map(({ taskId }) => taskId);
  const found = await loadReferences(references, call, definitionIds, taskIds);
  const [baseline, variant] = sides;
  const difference = compare(baseline.tasks, variant.tasks, detect);
  const judges = [...new Set(definitionIds)].map((id) => found.definitions.get(id)?.calibration);
  return {
    baseline: buildSide(baseline.side, baseline.tasks),
    variant: buildSide(variant.side, variant.tasks),
    difference: buildDifference(
      difference,
      testedP(difference),
      joinNotes(judgesNote(judges), definitionVersionsNote(pairEvaluations(sides))),
    ),
    definitions: compareDefinitions(sides, detect, found),
    changedTasks: changed.map(({ taskId, ...task }) => ({
      task: { id: taskId, title: found.tasks.get(taskId)?.title ?? "" },
      ...task,
    })),
  };
}

interface ComparedSide {
  readonly side: Side;
  readonly tasks: readonly TaskResults[];
}

/** Groups the rows of all statements by run. */
function buildSides(
  results: readonly (readonly object[])[],
  runIds: readonly [string | null, string | null],
): [ComparedSide, ComparedSide] {
  // Safe cast: the row types match the statements' select lists.
  const [tests, evaluations, usage] = results as [TestResultRow[], EvaluationResultRow[], UsageRow[]];
  const isScoredByEvaluations = evaluations.some(({ scoreCount }) => scoreCount > 0);
  const of = (id: string | null): ComparedSide => {
    const ofRun = ({ runId }: { runId: string }) => runId === id;
    const side = { tests: tests.filter(ofRun), evaluations: evaluations.filter(ofRun), usage: usage.filter(ofRun) };
    return { side, tasks: taskResults(side, isScoredByEvaluations) };
  };
  return [of(runIds[0]), of(runIds[1])];
}

function compareDefinitions(
  [a, b]: readonly [ComparedSide, ComparedSide],
  detect: number,
  { definitions }: References,
) {
  const compared = pairEvaluations([a, b]).map(({ id, baseline, variant }) => {
    const { name = "", calibration } = definitions.get(id) ?? {};
    const type = (baseline[0] ?? variant[0])?.definitionType ?? "";
    const difference = compare(baseline.map(toTaskResults), variant.map(toTaskResults), detect);
    return { definition: { id, name, type }, calibration, baseline, variant, difference };
  });
  compared.sort(
    ({ definition: x }, { definition: y }) => x.name.localeCompare(y.name, "en") || x.id.localeCompare(y.id, "en"),
  );
  // Holm's adjustment treats all differences with enough tasks as one family of tests.
  const tested = compared.filter(({ difference }) => testedP(difference) !== undefined);
  const ps = holm(tested.map(({ difference }) => testedP(difference) ?? 1));
  const adjusted = new Map(tested.map((comparedDefinition, at) => [comparedDefinition, ps[at]]));
  return compared.map((comparedDefinition) => ({
    definition: buildMessage(ComparedDefinitionSchema, {
      ...comparedDefinition.definition,
      calibration: comparedDefinition.calibration ?? null,
    }),
    baseline: definitionSide(comparedDefinition.baseline),
    variant: definitionSide(comparedDefinition.variant),
    difference: buildDifference(
      comparedDefinition.difference,
      adjusted.get(comparedDefinition),
      joinNotes(
        judgeNote(comparedDefinition.calibration),
        judgeVersionsNote(comparedDefinition.baseline, comparedDefinition.variant),
      ),
    ),
  }));
}

/** Returns the rows of both sides for each definition. */
function pairEvaluations([a, b]: readonly [ComparedSide, ComparedSide]) {
  const byDefinition = ({ side }: ComparedSide) => Map.groupBy(side.evaluations, ({ definitionId }) => definitionId);
  const [before, after] = [byDefinition(a), byDefinition(b)];
  return [...new Set([...before.keys(), ...after.keys()])].map((id) => ({
    id,
    baseline: before.get(id) ?? [],
    variant: after.get(id) ?? [],
  }));
}

/** Returns the tasks for which most tests passed on one side but not on the other, the largest difference first. */
function changedTasks([a, b]: readonly [ComparedSide, ComparedSide]) {
  const mapRows = ({ side, tasks }: ComparedSide) =>
    new Map(side.tests.map((row, at) => [row.taskId, { row, results: tasks[at] }] as const));
  const before = mapRows(a);
  const changed = [...mapRows(b)].flatMap(([taskId, { row, results }]) => {
    const same = before.get(taskId);
    if (same?.results === undefined || results === undefined) return [];
    const [from, to] = [getRate(same.results), getRate(results)];
    const [did, does] = [from > 0.5, to > 0.5];
    if (did === does || same.results.tests === 0 || results.tests === 0) return [];
    const sides = { baseline: changedSide(same.row, did, same.results), variant: changedSide(row, does, results) };
    return [{ taskId, by: Math.abs(to - from), ...sides }];
  });
  changed.sort((x, y) => y.by - x.by || (x.taskId < y.taskId ? -1 : 1));
  return changed.slice(0, changedTasksMax).map(({ by: _, ...task }) => task);
}

const getRate = ({ passed, tests }: TaskResults) => passed / tests;
