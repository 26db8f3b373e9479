// Pure: computes the costs of a trace's steps with other prices.

import type { GetPrice } from "@ems/prices";
import {
  type Consumption,
  type CountedSpan,
  countCalls,
  countTokens,
  type OwnConsumption,
  type TotalsRow,
  totalConsumption,
} from "../traces/index.ts";

/** A step with the facts that its price depends on. */
export interface PricedSpan extends CountedSpan {
  readonly timestamp: Date;
  readonly modelId: string | null;
}

export interface Repriced<Step> {
  /** Steps whose own or counted cost changes. */
  readonly changed: Step[];
  readonly totals: Pick<TotalsRow, "totalCost" | "pricedSteps" | "unpricedSteps">;
}

export function reprice<Step extends PricedSpan>(
  row: TotalsRow,
  steps: readonly Step[],
  findPrice: GetPrice,
): Repriced<Step> {
  const before = new Map(steps.map((step) => [step.id, step]));
  const priced = steps.map((step) => withPrice(step, findPrice));
  // Steps that record no call matter only for usage of steps that are no calls; steps of events always count.
  const hasHolder = priced.some(({ callId, own }) => callId !== null && own.isCall === false);
  const decided = countCalls(
    priced.filter(({ callId, counted }) => callId !== null || (hasHolder && !isCounted(counted))),
  );
  const counted = new Map(decided.map((step) => [step.id, step.counted]));
  const after = priced.map((step) => ({ ...step, counted: counted.get(step.id) ?? step.counted }));
  const changed = after.filter((step) => {
    const old = before.get(step.id);
    return old !== undefined && (old.own.costAmount !== step.own.costAmount || !isSameCost(old.counted, step.counted));
  });
  return {
    changed,
    totals: totalConsumption(
      row,
      after.map((step) => step.counted),
    ),
  };
}

function isCounted({ usage, costAmount }: Consumption): boolean {
  return usage !== undefined || costAmount !== undefined;
}

function isSameCost(a: Consumption, b: Consumption): boolean {
  return a.costAmount === b.costAmount && (a.isUnpriced ?? false) === (b.isUnpriced ?? false);
}

/** Replaces a cost that was computed from prices, or that is unknown. A stated cost stays. */
function withPrice<Step extends PricedSpan>(step: Step, findPrice: GetPrice): Step {
  const { callId, own, counted } = step;
  const isOwn = callId !== null;
  const { usage, costAmount } = isOwn ? own : counted;
  if (usage === undefined || (costAmount !== undefined && own.isPriced !== true)) return step;
  const cost = findPrice(step.modelId ?? "", usage, step.timestamp, own.provider);
  const { isPriced: _isPriced, costAmount: _costAmount, ...facts } = own;
  const flagged: OwnConsumption = cost === undefined ? facts : { ...facts, isPriced: true };
  if (isOwn) return { ...step, own: cost === undefined ? flagged : { ...flagged, costAmount: cost } };
  const isUnpriced = cost === undefined && countTokens(usage) > 0;
  const { costAmount: _counted, isUnpriced: _isUnpriced, ...rest } = counted;
  return {
    ...step,
    own: flagged,
    counted: { ...rest, ...(cost !== undefined && { costAmount: cost }), ...(isUnpriced && { isUnpriced }) },
  };
}
