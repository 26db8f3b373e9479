// One review of a trace by several evaluators: their verdicts share the explanation. Pure.

import { aboutType } from "../definitions/definition-types.ts";
import type { Evaluation } from "../tests/test-requests.ts";
import { toCritique } from "./critique.ts";
import type { Annotation, Criterion, NewAnnotation, QueueItem } from "./review-requests.ts";

type Scale = Criterion["scale"];

export interface PassCriterion {
  /** Null for the whole answer. */
  readonly definitionId: string | null;
  readonly name: string;
  readonly text: string | null;
  readonly scale: Scale;
}

export interface PassRow {
  readonly criterion: PassCriterion;
  /** Null until the reviewer decides. */
  readonly verdict: boolean | null;
  readonly score: number | null;
}

type Judgment = Pick<PassRow, "verdict" | "score">;

/** Judgments that the API has stored, by definition. */
export type SavedJudgments = ReadonlyMap<string | null, Judgment>;

const wholeAnswer: PassCriterion = { definitionId: null, name: "Whole answer", text: null, scale: null };

/** Lists what a reviewer can judge: first what the queue is for, then the evaluators that judged the trace. */
export function listCriteria(
  { definitionId, criterion }: Pick<QueueItem, "definitionId" | "criterion">,
  evaluations: readonly Pick<Evaluation, "definition">[],
): readonly [PassCriterion, ...PassCriterion[]] {
  const found = new Map(
    evaluations.flatMap(({ definition }) => (definition === null ? [] : [[definition.id, definition]])),
  );
  const further = [...found.values()]
    .filter(({ id }) => id !== definitionId)
    .map(
      (definition): PassCriterion => ({
        definitionId: definition.id,
        name: definition.name,
        text:
          definition.globalConfig?.criterion ??
          definition.globalConfig?.groundTruth ??
          aboutType[definition.type].description,
        scale: definition.scale,
      }),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name));
  if (definitionId === null) return [wholeAnswer, ...further];
  const own = {
    definitionId,
    name: criterion?.name ?? "Deleted evaluator",
    text: criterion?.criterion ?? null,
    scale: criterion?.scale ?? null,
  };
  return [own, ...further, ...(further.length === 0 ? [] : [wholeAnswer])];
}

export const newRow = (criterion: PassCriterion): PassRow => ({ criterion, verdict: null, score: null });

const passes = (scale: NonNullable<Scale>, score: number) => score >= scale.threshold;

/** Sets the verdict. Clears a score that contradicts it, because the API refuses both together. */
export function withVerdict(row: PassRow, verdict: boolean): PassRow {
  const { criterion, score } = row;
  const agrees = score === null || criterion.scale === null || passes(criterion.scale, score) === verdict;
  return { ...row, verdict, score: agrees ? score : null };
}

/** Sets the score, which decides the verdict. Without a score, the verdict stays. */
export function withScore(row: PassRow, score: number | null): PassRow {
  const { scale } = row.criterion;
  return { ...row, score, verdict: score === null || scale === null ? row.verdict : passes(scale, score) };
}

/** Returns the index of the next row without a verdict, from `from` on and then from the start; -1 if all have one. */
export function findUnjudged(rows: readonly PassRow[], from = 0): number {
  const after = rows.findIndex(({ verdict }, at) => at >= from && verdict === null);
  return after === -1 ? rows.findIndex(({ verdict }) => verdict === null) : after;
}

export const fails = (rows: readonly PassRow[]) => rows.some(({ verdict }) => verdict === false);

export function isSaved({ criterion, verdict, score }: PassRow, saved: SavedJudgments): boolean {
  const stored = saved.get(criterion.definitionId);
  return stored !== undefined && stored.verdict === verdict && stored.score === score;
}

interface Pass {
  readonly passId: string;
  readonly critique: string;
  readonly item: Pick<QueueItem, "id" | "traceId">;
}

/**
 * Returns the annotations to send, in order: those that are not stored yet, of which the last completes the queue item.
 * If all are stored, the last one is sent again to complete it.
 */
export function toAnnotations(
  rows: readonly PassRow[],
  saved: SavedJudgments,
  { passId, critique, item }: Pass,
): NewAnnotation[] {
  const unsaved = rows.filter((row) => !isSaved(row, saved));
  const due = unsaved.length > 0 ? unsaved : rows.slice(-1);
  return due.map(({ criterion, verdict, score }, at) => ({
    traceId: item.traceId,
    queueItemId: item.id,
    source: "REVIEW_QUEUE",
    definitionId: criterion.definitionId,
    verdict: verdict === true,
    score,
    critique: toCritique(critique),
    passId,
    passComplete: at === due.length - 1,
  }));
}

export interface RestoredPass {
  readonly passId: string;
  readonly critique: string;
  readonly rows: readonly PassRow[];
  readonly saved: SavedJudgments;
}

/** Restores the person's unfinished pass from its stored annotations, newest first; undefined if there is none. */
export function restorePass(
  annotations: readonly Pick<
    Annotation,
    "annotatorId" | "passId" | "definitionId" | "verdict" | "score" | "critique"
  >[],
  userId: string | undefined,
  criteria: readonly PassCriterion[],
): RestoredPass | undefined {
  const own = annotations.filter(({ annotatorId, passId }) => annotatorId === userId && passId !== null);
  const passId = own[0]?.passId;
  if (passId == null) return undefined;
  const stored = own.filter((annotation) => annotation.passId === passId);
  const saved = new Map(
    stored.map(({ definitionId, verdict, score }) => [definitionId, { verdict, score: score ?? null }]),
  );
  const rows = criteria
    .filter(({ definitionId }, at) => at === 0 || saved.has(definitionId))
    .map((criterion) => ({ ...newRow(criterion), ...saved.get(criterion.definitionId) }));
  return { passId, critique: stored.find(({ critique }) => critique !== null)?.critique ?? "", rows, saved };
}
