// Pure: which spans count the model calls that they record. A span repeats others when its tokens are the sum of the calls
// directly within it, or when another span has the same response id. Both follow from what spans say, not from their order.

import type { JsonObject } from "@bufbuild/protobuf";

export interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Consumption {
  readonly usage?: Tokens | undefined;
  readonly costAmount?: number | undefined;
}

/** What a span says itself, kept in its step's JSON, since other spans may change what it counts. */
export interface OwnConsumption extends Consumption {
  /** The cost comes from the price table. */
  readonly isPriced?: boolean;
  /** Sum of the calls directly within the span, where it has tokens and there are any. */
  readonly within?: Tokens;
}

export interface CallSpan {
  readonly id: string;
  readonly parentId: string | null;
  /** Equal for spans that have one response id; the span's own id for a span without one. */
  readonly callId: string;
  readonly own: OwnConsumption;
  /** What the trace's totals have of it by now. */
  readonly counted: Consumption;
}

/** The tokens of a stored call, within a span that is new. */
export interface CallWithin {
  readonly parentId: string;
  readonly usage: Tokens;
}

/**
 * The spans whose `own` or `counted` changes when the new spans come. `stored` has the parents of new spans, and all other spans of
 * the calls of both; `callsWithin` has what is stored within new spans.
 */
export function countOnce(
  added: readonly CallSpan[],
  stored: readonly CallSpan[],
  callsWithin: readonly CallWithin[],
): CallSpan[] {
  const before = new Map([...stored, ...added].map((span) => [span.id, span]));
  const within = new Map<string, Tokens>();
  const include = ({ parentId, usage }: CallWithin) => {
    const sum = within.get(parentId) ?? before.get(parentId)?.own.within;
    within.set(parentId, sum === undefined ? usage : plus(sum, usage));
  };
  for (const call of callsWithin) include(call);
  for (const { id, parentId, own } of added)
    if (parentId !== null && parentId !== id && own.usage !== undefined) include({ parentId, usage: own.usage });
  const spans = [...before.values()].map((span) => {
    const sum = span.own.usage && within.get(span.id);
    return sum === undefined ? span : { ...span, own: { ...span.own, within: sum } };
  });
  const counted = [...Map.groupBy(spans, ({ callId }) => callId).values()].flatMap(countCall);
  return counted.filter((span) => {
    const { own, counted: earlier } = before.get(span.id) ?? span;
    return own !== span.own || !isSame(earlier, span.counted);
  });
}

const nothing: Consumption = {};

/** All spans of one call: at most one of them counts it. */
function countCall(spans: readonly CallSpan[]): CallSpan[] {
  const candidates = spans.filter(({ own }) => !isSum(own));
  const keeper = candidates.reduce<CallSpan | undefined>(
    (best, span) => (best === undefined || compare(span, best) < 0 ? span : best),
    undefined,
  );
  return spans.map((span) => ({ ...span, counted: span === keeper ? consumption(keeper, spans) : nothing }));
}

/** A span without tokens repeats nothing. */
function isSum({ usage, within }: OwnConsumption): boolean {
  return usage !== undefined && within !== undefined && total(usage) > 0 && hasSameTokens(usage, within);
}

/** The span that says most comes first: some spans of a call lack its tokens, or end before they are all known. */
function compare(a: CallSpan, b: CallSpan): number {
  return total(b.own.usage) - total(a.own.usage) || (a.id < b.id ? -1 : 1);
}

/** A cost that a span states is better than one of the price table. A sum's cost is the call's only if it is of this call alone. */
function consumption(keeper: CallSpan, spans: readonly CallSpan[]): Consumption {
  const others = spans
    .filter((span) => span !== keeper && (!isSum(span.own) || hasSameTokens(span.own.usage, keeper.own.usage)))
    .toSorted(compare);
  const costs = [keeper, ...others].map(({ own }) => own).filter(({ costAmount }) => costAmount !== undefined);
  const { costAmount } = costs.find(({ isPriced = false }) => !isPriced) ?? costs[0] ?? nothing;
  return { usage: keeper.own.usage, costAmount };
}

function plus(a: Tokens, b: Tokens): Tokens {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

/** Less than any number of tokens where there are none. */
function total(usage: Tokens | undefined): number {
  return usage === undefined ? -1 : usage.promptTokens + usage.completionTokens;
}

function hasSameTokens(a: Tokens | undefined, b: Tokens | undefined): boolean {
  return a?.promptTokens === b?.promptTokens && a?.completionTokens === b?.completionTokens;
}

function isSame(a: Consumption, b: Consumption): boolean {
  return hasSameTokens(a.usage, b.usage) && a.costAmount === b.costAmount;
}

/** The fields of a step's JSON that `countOnce` decides. */
export function callFields({ own, counted: { usage, costAmount } }: Pick<CallSpan, "own" | "counted">): JsonObject {
  return {
    ...(usage !== undefined && { usage: { ...usage } }),
    ...(costAmount !== undefined && { costAmount }),
    own: JSON.parse(JSON.stringify(own)) as JsonObject,
  };
}
