// Calls of a model that several spans of a request record count once: those with one response id, and an outer one that
// repeats the tokens of the calls directly within it. The store compares response ids with those of earlier requests.

import type { StepFields } from "./step-of.ts";

export interface CallStep {
  readonly trace: { readonly id: string };
  readonly id: string;
  readonly parentId: string | undefined;
  readonly responseId: string | undefined;
  readonly fields: StepFields;
}

type Consumption = Pick<StepFields, "usage" | "costAmount">;

const nothing: Consumption = { usage: undefined, costAmount: undefined };

/** What each of the steps counts instead of its own, in their order; undefined for what it says itself. */
export function countOnce(steps: readonly CallStep[]): (Consumption | undefined)[] {
  const sums = outerSums(steps);
  const keepers = new Map<string, { index: number; cost: number | undefined }>();
  for (const [index, { trace, responseId, fields }] of steps.entries()) {
    const { usage, costAmount } = fields;
    if (responseId === undefined || sums.has(index) || (usage === undefined && costAmount === undefined)) continue;
    const key = `${trace.id}/${responseId}`;
    const keeper = keepers.get(key);
    const isBetter = keeper === undefined || (usage !== undefined && steps[keeper.index]?.fields.usage === undefined);
    keepers.set(key, { index: isBetter ? index : keeper.index, cost: keeper?.cost ?? costAmount });
  }
  return steps.map(({ trace, responseId, fields: { usage } }, index) => {
    if (sums.has(index)) return nothing;
    const keeper = responseId === undefined ? undefined : keepers.get(`${trace.id}/${responseId}`);
    if (keeper === undefined) return undefined;
    return keeper.index === index ? { usage, costAmount: keeper.cost } : nothing;
  });
}

/** Indexes of calls whose tokens are the sum of those of the calls directly within. */
function outerSums(steps: readonly CallStep[]): Set<number> {
  const within = new Map<string, { prompt: number; completion: number }>();
  for (const { trace, parentId, fields } of steps) {
    if (parentId === undefined || fields.usage === undefined) continue;
    const key = `${trace.id}/${parentId}`;
    const { prompt, completion } = within.get(key) ?? { prompt: 0, completion: 0 };
    const { promptTokens, completionTokens } = fields.usage;
    within.set(key, { prompt: prompt + promptTokens, completion: completion + completionTokens });
  }
  const sums = new Set<number>();
  for (const [
    index,
    {
      trace,
      id,
      fields: { usage },
    },
  ] of steps.entries()) {
    const sum = usage && within.get(`${trace.id}/${id}`);
    if (sum && sum.prompt === usage.promptTokens && sum.completion === usage.completionTokens) sums.add(index);
  }
  return sums;
}
