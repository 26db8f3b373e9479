// Steps side by side into a tree. What is stored need not be one: a parent may be missing, and spans of a broken exporter
// may name each other.

import type { TraceStep } from "@ems/proto/experiments/v1/trace_service";

/** The most levels of steps in an answer, so that its JSON stays within the depth that clients and we ourselves read. */
const stepLevelsMax = 14;

/**
 * The steps of the first level with their parts inside of them, siblings in the order given. Steps below the last level
 * stand on it; a step whose parent is missing stands on the first, and so does the first of a circle.
 */
export function stepTree(steps: readonly TraceStep[], levelsMax = stepLevelsMax): TraceStep[] {
  const ids = new Set(steps.map(({ id }) => id));
  const parts = Map.groupBy(steps, ({ parentId }) => (parentId !== undefined && ids.has(parentId) ? parentId : ""));
  const first: TraceStep[] = [];
  const placed = new Set<TraceStep>();

  const place = (start: TraceStep) => {
    // A list of what is to do instead of a recursion: a chain may be as long as a trace has steps.
    const todo = [{ step: start, level: 1, into: first }];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      const { step, level, into } = next;
      if (placed.has(step)) continue;
      placed.add(step);
      into.push(step);
      const isLast = level === levelsMax;
      const below = { level: isLast ? level : level + 1, into: isLast ? into : step.steps };
      for (const part of (parts.get(step.id) ?? []).toReversed()) todo.push({ step: part, ...below });
    }
  };
  for (const step of parts.get("") ?? []) place(step);
  for (const step of steps) if (!placed.has(step)) place(step);
  return first;
}
