// Pure: decides which spans count their model calls. A span is a duplicate if its tokens are the sum of the calls
// directly within it, or if another span has the same response id. The order of the spans has no influence.

import type { StorableObject } from "@ems/kit/readers";

export interface Tokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface Consumption {
  readonly usage?: Tokens | undefined;
  readonly costAmount?: number | undefined;
}

/** A span's own usage and cost. Stored in its step's JSON, because spans that arrive later may change what counts. */
export interface OwnConsumption extends Consumption {
  /** True if the cost was computed from the price table. */
  readonly isPriced?: boolean;
  /** Sum of the calls directly within the span, each counted once. Set if the span has tokens and such calls. */
  readonly within?: Tokens;
}

export interface CallSpan {
  readonly id: string;
  readonly parentId: string | null;
  /** Same for all spans with the same response id; the span's own id if it has no response id. */
  readonly callId: string;
  readonly own: OwnConsumption;
  /** The span's current share of the trace's totals. */
  readonly counted: Consumption;
}

/** A stored call with tokens, directly within one of the new spans. */
export interface CallWithin {
  readonly id: string;
  readonly parentId: string;
  readonly callId: string;
  readonly usage: Tokens;
}

/**
 * Returns the spans whose `own` or `counted` changes when new spans arrive. `stored` contains parents of new spans and
 * all other spans of the same calls. `callsWithin` contains the stored calls directly within new spans.
 */
export function countOnce(
  added: readonly CallSpan[],
  stored: readonly CallSpan[],
  callsWithin: readonly CallWithin[],
): CallSpan[] {
  const before = new Map([...stored, ...added].map((span) => [span.id, span]));
  // Skips calls that are related to no other call, as most are.
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
    // The sum already contains the unrelated calls, because each of them is a separate call.
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

/** Adds up the calls. Each counts once, by its span with the most tokens. */
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

/** Decides which of a call's spans counts the call: at most one of them does. */
function countCall(spans: readonly CallSpan[]): CallSpan[] {
  const candidates = spans.filter(({ own }) => !isSum(own));
  const keeper = candidates.reduce<CallSpan | undefined>(
    (best, span) => (best === undefined || compareSpans(span, best) < 0 ? span : best),
    undefined,
  );
  return spans.map((span) => ({ ...span, counted: span === keeper ? consumption(keeper, spans) : nothing }));
}

/** Returns true if a span repeats the calls within it; false if it has no tokens. */
function isSum({ usage, within }: OwnConsumption): boolean {
  return usage !== undefined && within !== undefined && total(usage) > 0 && hasSameTokens(usage, within);
}

/**
 * Sorts the span with the most tokens first, because other spans of a call may lack tokens, or may have ended before
 * all tokens were counted.
 */
function compare(a: Pick<CallSpan, "id"> & Consumption, b: Pick<CallSpan, "id"> & Consumption): number {
  return total(b.usage) - total(a.usage) || (a.id < b.id ? -1 : 1);
}

function compareSpans(a: CallSpan, b: CallSpan): number {
  return compare({ id: a.id, usage: a.own.usage }, { id: b.id, usage: b.own.usage });
}

/**
 * Returns the usage and cost of a call. A cost stated by a span takes precedence over the price table. A span with a
 * sum states the call's cost only if the sum contains just this call.
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

/** Returns the number of tokens; -1 without tokens, which sorts after every number. */
function total(usage: Tokens | undefined): number {
  return usage === undefined ? -1 : usage.promptTokens + usage.completionTokens;
}

function hasSameTokens(a: Tokens | undefined, b: Tokens | undefined): boolean {
  return a?.promptTokens === b?.promptTokens && a?.completionTokens === b?.completionTokens;
}

function isSame(a: Consumption, b: Consumption): boolean {
  return hasSameTokens(a.usage, b.usage) && a.costAmount === b.costAmount;
}

/** Returns those fields of a step's JSON that `countOnce` determines. */
export function callFields({ own, counted: { usage, costAmount } }: Pick<CallSpan, "own" | "counted">): StorableObject {
  return {
    ...(usage !== undefined && { usage: { ...usage } }),
    ...(costAmount !== undefined && { costAmount }),
    // Copied to drop undefined fields. Safe cast: it contains only numbers and flags.
    own: JSON.parse(JSON.stringify(own)) as StorableObject,
  };
}
