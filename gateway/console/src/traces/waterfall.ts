// Builds the rows of the waterfall: the tree of steps, depth first, with start and duration.

import type { Step } from "./trace-requests.ts";

export interface WaterfallRow {
  readonly step: Step;
  readonly depth: number;
  /** Position among the steps of the same parent, from 1. */
  readonly position: number;
  readonly siblings: number;
  /** Start of the step in milliseconds after the start of the trace. */
  readonly startMs: number;
  /** Duration of the step. Undefined for an instantaneous event. */
  readonly durationMs: number | undefined;
}

export interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  readonly totalMs: number;
}

/** Builds the rows. A step becomes a root if its parent is missing, or if the parents form a cycle. */
export function buildWaterfall(steps: readonly Step[]): Waterfall {
  const ids = new Set(steps.map(({ id }) => id));
  const children = new Map<string | undefined, Step[]>();
  for (const step of steps) {
    const parent =
      step.parentId !== undefined && step.parentId !== step.id && ids.has(step.parentId) ? step.parentId : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [step]);
    else siblings.push(step);
  }
  const startsAt = steps.reduce(
    (first, { timestamp }) => Math.min(first, Date.parse(timestamp)),
    Number.POSITIVE_INFINITY,
  );
  const rows: WaterfallRow[] = [];
  const seen = new Set<Step>();
  const visit = (roots: readonly Step[]) => {
    // Use an explicit stack, because recursion over thousands of steps would overflow the call stack.
    const toItems = (siblings: readonly Step[], depth: number) =>
      siblings.map((step, at) => ({ step, depth, position: at + 1, siblings: siblings.length })).reverse();
    const stack = toItems(roots, 0);
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { step, depth, position, siblings } = next;
      if (seen.has(step)) continue;
      seen.add(step);
      const startMs = Date.parse(step.timestamp) - startsAt;
      rows.push({ step, depth, position, siblings, startMs, durationMs: getDuration(step) });
      for (const item of toItems(children.get(step.id) ?? [], depth + 1)) stack.push(item);
    }
  };
  visit(children.get(undefined) ?? []);
  visit(steps.filter((step) => !seen.has(step)));
  const totalMs = rows.reduce((end, row) => Math.max(end, row.startMs + (row.durationMs ?? 0)), 1);
  return { rows, totalMs };
}

function getDuration({ durationMs, endTime, timestamp }: Step): number | undefined {
  if (durationMs !== undefined) return durationMs;
  return endTime == null ? undefined : Math.max(0, Date.parse(endTime) - Date.parse(timestamp));
}
