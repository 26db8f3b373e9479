// Verdicts of people and judges on a reviewed trace, by evaluator. Pure.

import type { Evaluation } from "../tests/test-requests.ts";
import { listCriteria } from "./pass.ts";
import type { Annotation, QueueItem } from "./review-requests.ts";

export interface Judgment {
  readonly id: string;
  readonly who: string;
  readonly evaluator: string;
  readonly passed: boolean | null;
  readonly score: number | null;
  readonly why: string | null;
}

export interface JudgedTrace {
  readonly rows: readonly Judgment[];
  /** True if people judged the trace by several evaluators. */
  readonly hasSeveral: boolean;
  /** Judges that a person's verdict by the same evaluator can be compared with, and those that agree. */
  readonly compared: number;
  readonly agreed: number;
}

type StoredAnnotation = Pick<
  Annotation,
  "id" | "annotatorId" | "annotator" | "definitionId" | "passId" | "verdict" | "score" | "critique"
>;
type StoredEvaluation = Pick<Evaluation, "id" | "definition" | "passed" | "score" | "message">;

/** Returns the verdicts by the queue item's evaluator, and by those that people judged in the same pass. */
export function listJudgments(
  item: Pick<QueueItem, "definitionId" | "criterion">,
  annotations: readonly StoredAnnotation[],
  evaluations: readonly StoredEvaluation[],
): JudgedTrace {
  const passes = new Set(
    annotations.flatMap(({ definitionId, passId }) => (definitionId === item.definitionId ? (passId ?? []) : [])),
  );
  const people = annotations.filter(
    ({ definitionId, passId }) => definitionId === item.definitionId || (passId !== null && passes.has(passId)),
  );
  const ids = new Set([item.definitionId, ...people.map(({ definitionId }) => definitionId)]);
  const hasSeveral = ids.size > 1;
  // A verdict on the whole answer alone is displayed with those of all judges.
  const judges = evaluations.filter(
    ({ definition }) => (item.definitionId === null && !hasSeveral) || ids.has(definition?.id ?? ""),
  );
  const names = new Map(listCriteria(item, evaluations).map(({ definitionId, name }) => [definitionId, name]));
  const getName = (id: string | null) => names.get(id) ?? (id === null ? "Whole answer" : "Deleted evaluator");
  const rows = [
    ...people.map(({ id, annotatorId, annotator, definitionId, verdict, score, critique }) => ({
      id,
      who: annotator?.name ?? annotatorId,
      evaluator: getName(definitionId),
      passed: verdict,
      score,
      why: critique,
    })),
    ...judges.map(({ id, definition, passed, score, message }) => ({
      id,
      who: hasSeveral ? "Judge" : (definition?.name ?? "Deleted evaluator"),
      evaluator: definition?.name ?? "Deleted evaluator",
      passed,
      score,
      why: message,
    })),
  ];
  const pairs = judges.flatMap(({ definition, passed }) => {
    const person = people.find(({ definitionId }) => definition !== null && definitionId === definition.id);
    return person === undefined ? [] : [person.verdict === passed];
  });
  return {
    rows: hasSeveral ? rows.toSorted((a, b) => a.evaluator.localeCompare(b.evaluator)) : rows,
    hasSeveral,
    compared: pairs.length,
    agreed: pairs.filter(Boolean).length,
  };
}
