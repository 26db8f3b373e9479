// Pure: decides which spans count their model calls. A span is a duplicate if its tokens are the sum of the calls
// directly within it, or if another span has the same response id. Both depend only on the spans, not on their order.

import type { StorableObject } from "@ems/kit/readers";

export interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Consumption {
  readonly usage?: Tokens | undefined;
  readonly costAmount?: number | undefined;
}

/** A span's own usage and cost, stored in its step's JSON, because other spans may change what it counts. */
export interface OwnConsumption extends Consumption {
  /** True if the cost comes from the price table. */
  readonly isPriced?: boolean;
  /** Sum of the calls directly within the span, each counted once. Present if the span has tokens and such calls. */
  readonly within?: Tokens;
}

export interface CallSpan {
  readonly id: string;
  readonly parentId: string | null;
  /** Equal for spans with the same response id; the span's own id for a span without one. */
  readonly callId: string;
  readonly own: OwnConsumption;
  /** The span's present share of the trace's totals. */
  readonly counted: Consumption;
}

/** A stored call with tokens, directly within a new span. */
export interface CallWithin {
  readonly id: string;
  readonly parentId: string;
  readonly callId: string;
  readonly usage: Tokens;
}

/**
 * Returns the spans whose `own` or `counted` changes when the new spans arrive. `stored` has the parents of new spans,
 * and all other spans of the calls of both. `callsWithin` has the stored calls within new spans.
 */
export function countOnce(
  added: readonly CallSpan[],
  stored: readonly CallSpan[],
  callsWithin: readonly CallWithin[],
): CallSpan[] {
  const before = new Map([...stored, ...added].map((span) => [span.id, span]));
  // Most calls are related to no other call.
  const isRelated = ({ parentId }: CallSpan) => parentId !== null && before.has(parentId);
  const calls = new Set(added.map(({ callId }) => callId));
  const hasRelated = stored.length > 0 || callsWithin.length > 0 || calls.size < added.length;
  if (!hasRelated && !added.some(isRelated)) return [];
  const addedTo = Map.groupBy(added.flatMap(callWithin), ({ parentId }) => parentId);
  const foundIn = Map.groupBy(callsWithin, ({ parentId }) => parentId);
  const relatedIn = Map.groupBy(stored.flatMap(callWithin), ({ parentId }) => parentId);
  const isNew = new Set(added.map(({ id }) => id));
  const sumWithin = ({ id, own }: CallSpan): Tokens | undefined => {
    const [news, found] = [addedTo.get(id) ?? [], foundIn.get(id) ?? []];
    if (own.usage === undefined || (news.length === 0 && found.length === 0)) return undefined;
    if (isNew.has(id)) return sumOfCalls([...found, ...news]);
    // The sum already contains the unrelated calls, which are other calls.
    const related = relatedIn.get(id) ?? [];
    return plus(own.within ?? none, minus(sumOfCalls([...related, ...news]), sumOfCalls(related)));
  };
  const spans = [...before.values()].map((span) => {
    const within = sumWithin(span);
    return within === undefined ? span : { ...span, own: { ...span.own, within } };
  });
  const counted = [...Map.groupBy(spans, ({ callId }) => callId).values()].flatMap(countCall);
  return counted.filter((span) => {
    const { own, counted: earlier } = before.get(span.id) ?? span;
    return own !== span.own || !isSame(earlier, span.counted);
  });
}

function callWithin({ id, parentId, callId, own: { usage } }: CallSpan): CallWithin[] {
  return parentId === null || parentId === id || usage === undefined ? [] : [{ id, parentId, callId, usage }];
}

/** Sums the calls, each once, by its span with the most tokens. */
function sumOfCalls(spans: readonly CallWithin[]): Tokens {
  const best = new Map<string, CallWithin>();
  for (const span of spans) {
    const other = best.get(span.callId);
    if (other === undefined || compare(span, other) < 0) best.set(span.callId, span);
  }
  return [...best.values()].reduce((sum, { usage }) => plus(sum, usage), none);
}

const none: Tokens = { promptTokens: 0, completionTokens: 0 };
const nothing: Consumption = {};

/** Decides which span of a call counts it: at most one does. */
function countCall(spans: readonly CallSpan[]): CallSpan[] {
  const candidates = spans.filter(({ own }) => !isSum(own));
  const keeper = candidates.reduce<CallSpan | undefined>(
    (best, span) => (best === undefined || compareSpans(span, best) < 0 ? span : best),
    undefined,
  );
  return spans.map((span) => ({ ...span, counted: span === keeper ? consumption(keeper, spans) : nothing }));
}

/** Returns whether a span repeats the calls within it; false without tokens. */
function isSum({ usage, within }: OwnConsumption): boolean {
  return usage !== undefined && within !== undefined && total(usage) > 0 && hasSameTokens(usage, within);
}

/**
 * Sorts the span with the most tokens first: some spans of a call have no tokens, or end before all of them are
 * counted.
 */
function compare(a: Pick<CallSpan, "id"> & Consumption, b: Pick<CallSpan, "id"> & Consumption): number {
  return total(b.usage) - total(a.usage) || (a.id < b.id ? -1 : 1);
}

function compareSpans(a: CallSpan, b: CallSpan): number {
  return compare({ id: a.id, usage: a.own.usage }, { id: b.id, usage: b.own.usage });
}

/**
 * A cost that a span states takes precedence over the price table. A sum's cost is the call's cost only if the sum
 * contains this call alone.
 */
function consumption(keeper: CallSpan, spans: readonly CallSpan[]): Consumption {
  const candidates = spans
    .filter((span) => span !== keeper && (!isSum(span.own) || hasSameTokens(span.own.usage, keeper.own.usage)))
    .toSorted(compareSpans);
  const costs = [keeper, ...candidates].map(({ own }) => own).filter(({ costAmount }) => costAmount !== undefined);
  const { costAmount } = costs.find(({ isPriced = false }) => !isPriced) ?? costs[0] ?? nothing;
  return { usage: keeper.own.usage, costAmount };
}

function plus(a: Tokens, b: Tokens): Tokens {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

function minus(a: Tokens, b: Tokens): Tokens {
  return {
    promptTokens: a.promptTokens - b.promptTokens,
    completionTokens: a.completionTokens - b.completionTokens,
  };
}

/** Returns -1 without tokens, which is less than any number of tokens. */
function total(usage: Tokens | undefined): number {
  return usage === undefined ? -1 : usage.promptTokens + usage.completionTokens;
}

function hasSameTokens(a: Tokens | undefined, b: Tokens | undefined): boolean {
  return a?.promptTokens === b?.promptTokens && a?.completionTokens === b?.completionTokens;
}

function isSame(a: Consumption, b: Consumption): boolean {
  return hasSameTokens(a.usage, b.usage) && a.costAmount === b.costAmount;
}

/** Returns the fields of a step's JSON that `countOnce` decides. */
export function callFields({ own, counted: { usage, costAmount } }: Pick<CallSpan, "own" | "counted">): StorableObject {
  return {
    ...(usage !== undefined && { usage: { ...usage } }),
    ...(costAmount !== undefined && { costAmount }),
    // Contains only numbers and flags; copied to drop undefined fields.
    own: JSON.parse(JSON.stringify(own)) as StorableObject,
  };
}
