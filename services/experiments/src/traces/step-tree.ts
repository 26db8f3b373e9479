// Makes the tree of a trace. A parent may be missing, and spans of a broken exporter may name each other.

import type { TraceStep } from "@ems/proto/experiments/v1/trace_service";

/** Keeps an answer's JSON within the depth that clients and the gateway read. */
const stepLevelsMax = 14;

/**
 * The root steps with their children, siblings in the order given. Steps below the last level become its siblings;
 * a step without its parent becomes a root, and so does the first of a cycle.
 */
export function stepTree(steps: readonly TraceStep[], levelsMax = stepLevelsMax): TraceStep[] {
  const ids = new Set(steps.map(({ id }) => id));
  const children = Map.groupBy(steps, ({ parentId }) => (parentId !== undefined && ids.has(parentId) ? parentId : ""));
  const roots: TraceStep[] = [];
  const placed = new Set<TraceStep>();

  const place = (start: TraceStep) => {
    // A stack instead of recursion: a chain may be as long as a trace has steps.
    const stack = [{ step: start, level: 1, into: roots }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { step, level, into } = next;
      if (placed.has(step)) continue;
      placed.add(step);
      into.push(step);
      const isLast = level === levelsMax;
      const below = { level: isLast ? level : level + 1, into: isLast ? into : step.steps };
      for (const child of (children.get(step.id) ?? []).toReversed()) stack.push({ step: child, ...below });
    }
  };
  for (const step of children.get("") ?? []) place(step);
  for (const step of steps) if (!placed.has(step)) place(step);
  return roots;
}
