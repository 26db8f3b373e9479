// Model calls without a price. Pure.

import type { Step } from "../traces/trace-requests.ts";

type PricedStep = Pick<Step, "usage" | "costAmount" | "modelId">;

/** Returns true for a model call with tokens whose cost is unknown. */
export const isUnpriced = ({ usage, costAmount }: Pick<Step, "usage" | "costAmount">) =>
  usage != null && costAmount === undefined;

/** Lists the models of steps without a price, each once. */
export function listUnpricedModels(steps: readonly PricedStep[]): string[] {
  const models = steps.filter(isUnpriced).flatMap(({ modelId }) => (modelId == null || modelId === "" ? [] : modelId));
  return [...new Set(models)];
}
