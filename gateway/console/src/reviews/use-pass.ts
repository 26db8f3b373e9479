// State of a review by several evaluators, which is sent as one pass.

import { useState } from "react";
import { useChanges } from "../api/query.ts";
import {
  findUnjudged,
  newRow,
  type PassCriterion,
  type PassRow,
  type RestoredPass,
  type SavedJudgments,
  toAnnotations,
  withScore,
  withVerdict,
} from "./pass.ts";
import { annotate, type NewAnnotation, type QueueItem, refreshedByReviews } from "./review-requests.ts";

const none: SavedJudgments = new Map();

interface PassOptions {
  readonly item: QueueItem;
  /** Criterion of the queue item. */
  readonly own: PassCriterion;
  readonly onDone: () => void;
}

export type Pass = ReturnType<typeof usePass>;

export function usePass({ item, own, onDone }: PassOptions) {
  // A retry sends the same id, so that the API adds its annotations to those that it has stored.
  const [passId, setPassId] = useState(() => crypto.randomUUID() as string);
  const [rows, setRows] = useState<readonly PassRow[]>(() => [newRow(own)]);
  const [saved, setSaved] = useState(none);
  const [active, setActive] = useState(0);
  const sending = useChanges(annotate, {
    refreshes: refreshedByReviews,
    onSent: ({ definitionId = null, verdict, score = null }: NewAnnotation) =>
      setSaved((before) => new Map(before).set(definitionId, { verdict, score })),
    onDone,
  });
  const change = (at: number, row: PassRow) => setRows((before) => before.with(at, row));
  return {
    rows,
    saved,
    active,
    setActive,
    isSending: sending.isPending,
    error: sending.error,
    /** True if the review has several evaluators, or a part of it is stored. */
    isStarted: rows.length > 1 || saved.size > 0,
    /** Adds evaluators. The first addition takes the score that was entered for the queue's own evaluator. */
    add(criteria: readonly PassCriterion[], ownScore: number | null) {
      setRows((before) => {
        const [first = newRow(own), ...added] = before;
        const start = before.length === 1 && ownScore !== null ? withScore(first, ownScore) : first;
        return [start, ...added, ...criteria.map(newRow)];
      });
    },
    remove(at: number) {
      setRows((before) => before.toSpliced(at, 1));
      setActive((before) => (before > at || before === rows.length - 1 ? before - 1 : before));
    },
    setScore(at: number, row: PassRow, score: number | null) {
      change(at, withScore(row, score));
    },
    /** Sets a verdict and moves to the next row without one. Returns the rows and the index of that row, or -1. */
    judge(at: number, verdict: boolean): { readonly rows: readonly PassRow[]; readonly next: number } {
      const judged = rows.map((row, index) => (index === at ? withVerdict(row, verdict) : row));
      const next = findUnjudged(judged, at + 1);
      setRows(judged);
      setActive(next === -1 ? at : next);
      return { rows: judged, next };
    },
    restore(pass: RestoredPass) {
      setPassId(pass.passId);
      setRows(pass.rows);
      setSaved(pass.saved);
      setActive(Math.max(0, findUnjudged(pass.rows)));
    },
    send: (critique: string) => sending.mutate(toAnnotations(rows, saved, { passId, critique, item })),
  };
}
