// Pure: which spans count the model calls that they record. A span repeats others when its tokens are the sum of the calls
// directly within it, or when another span has the same response id. Both follow from what spans say, not from their order.

import type { StorableObject } from "@ems/kit/readers";

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
  /** Sum of the calls directly within the span, each once, where the span has tokens and there are any. */
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

/** A stored call with tokens, directly within a span that is new. */
export interface CallWithin {
  readonly id: string;
  readonly parentId: string;
  readonly callId: string;
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
  // Most calls are related to no other.
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
    // What is not among the related ones is in the sum already, and of other calls.
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

/** Each call once, by the span that says most. */
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

/** All spans of one call: at most one of them counts it. */
function countCall(spans: readonly CallSpan[]): CallSpan[] {
  const candidates = spans.filter(({ own }) => !isSum(own));
  const keeper = candidates.reduce<CallSpan | undefined>(
    (best, span) => (best === undefined || compareSpans(span, best) < 0 ? span : best),
    undefined,
  );
  return spans.map((span) => ({ ...span, counted: span === keeper ? consumption(keeper, spans) : nothing }));
}

/** A span without tokens repeats nothing. */
function isSum({ usage, within }: OwnConsumption): boolean {
  return usage !== undefined && within !== undefined && total(usage) > 0 && hasSameTokens(usage, within);
}

/** The span that says most comes first: some spans of a call lack its tokens, or end before they are all known. */
function compare(a: Pick<CallSpan, "id"> & Consumption, b: Pick<CallSpan, "id"> & Consumption): number {
  return total(b.usage) - total(a.usage) || (a.id < b.id ? -1 : 1);
}

function compareSpans(a: CallSpan, b: CallSpan): number {
  return compare({ id: a.id, usage: a.own.usage }, { id: b.id, usage: b.own.usage });
}

/** A cost that a span states is better than one of the price table. A sum's cost is the call's only if it is of this call alone. */
function consumption(keeper: CallSpan, spans: readonly CallSpan[]): Consumption {
  const others = spans
    .filter((span) => span !== keeper && (!isSum(span.own) || hasSameTokens(span.own.usage, keeper.own.usage)))
    .toSorted(compareSpans);
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

function minus(a: Tokens, b: Tokens): Tokens {
  return {
    promptTokens: a.promptTokens - b.promptTokens,
    completionTokens: a.completionTokens - b.completionTokens,
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
export function callFields({ own, counted: { usage, costAmount } }: Pick<CallSpan, "own" | "counted">): StorableObject {
  return {
    ...(usage !== undefined && { usage: { ...usage } }),
    ...(costAmount !== undefined && { costAmount }),
    // Numbers and flags alone; copied without what is undefined.
    own: JSON.parse(JSON.stringify(own)) as StorableObject,
  };
}
