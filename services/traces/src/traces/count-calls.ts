// Pure: decides which spans count their trace's model calls, so that each call counts once. The result depends only on
// the set of spans, so their order and their requests have no influence.

import type { StorableObject } from "@ems/kit/readers";
import { type CallFacts, pairDetached } from "./detached-calls.ts";
import { countTokens, hasSameTokens, isSameUsage, sumTokens, type Tokens, writtenTokens } from "./usage.ts";

export interface Consumption {
  readonly usage?: Tokens | undefined;
  readonly costAmount?: number | undefined;
  /** True if a model call has no known cost. */
  readonly isUnpriced?: boolean | undefined;
}

/** A span's own usage and cost. Stored in its step's JSON, because spans that arrive later may change what counts. */
export interface OwnConsumption {
  readonly usage?: Tokens | undefined;
  readonly costAmount?: number | undefined;
  /** True if the cost was computed from prices. */
  readonly isPriced?: boolean | undefined;
  /** True if the span is a model call that ended; false if its usage is that of the calls below it. */
  readonly isCall?: boolean | undefined;
  /** True for a span that the provider's own SDK creates: its usage is the response's. */
  readonly isSdk?: boolean | undefined;
  /** True for a span that spans of the same call are not within (detached-calls.ts). */
  readonly isDetached?: boolean | undefined;
  /** Number of the span's texts that arrived with it: input and output. */
  readonly texts?: number | undefined;
  /** Name of the model's provider, for its prices. */
  readonly provider?: string | undefined;
}

/** A step of a trace. Steps that record no model call and no usage only show what is below what. */
export interface CountedSpan extends CallFacts {
  readonly id: string;
  readonly parentId: string | null;
  /** Same for all spans with the same response id; the span's own id without one; null without a call or usage. */
  readonly callId: string | null;
  readonly own: OwnConsumption;
  /** The span's current share of the trace's totals. */
  readonly counted: Consumption;
}

/** A model call, with all spans that record it. */
interface Call {
  readonly spans: CountedSpan[];
  usage: Tokens | undefined;
}

/**
 * Returns the spans whose `counted` changes. `spans` must contain all spans that are related to the new ones
 * (related-spans.ts).
 */
export function countCalls(spans: readonly CountedSpan[]): CountedSpan[] {
  const unique = new Map(spans.map((span) => [span.id, span]));
  const all = [...unique.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const counted = new Map<string, Consumption>();
  for (const { span, consumption } of findCalls(all)) counted.set(span.id, consumption);
  countHolders(all, counted);
  return all.flatMap((span) => {
    const now = counted.get(span.id) ?? nothing;
    return isSame(span.counted, now) ? [] : [{ ...span, counted: now }];
  });
}

const nothing: Consumption = {};

/** Merges spans that record the same call, leaves out sums of other calls, and chooses the span that counts each call. */
function findCalls(all: readonly CountedSpan[]): { span: CountedSpan; consumption: Consumption }[] {
  const callSpans = all.filter(({ callId, own }) => callId !== null && isCall(own));
  const within = Map.groupBy(callSpans, ({ parentId }) => parentId);
  const calls = new Map<CountedSpan, Call>();
  const recording = callSpans.filter((span) => !isSum(span, within.get(span.id) ?? []));
  for (const group of Map.groupBy(recording, ({ callId }) => callId).values()) {
    const call = { spans: group, usage: mostComplete(group) };
    for (const span of group) calls.set(span, call);
  }
  const sums = new Set<Call>();
  for (const outer of innermostFirst(recording)) {
    const call = calls.get(outer);
    const inner = (within.get(outer.id) ?? []).map((span) => calls.get(span)).filter((each) => each !== undefined);
    const distinct = [...new Set(inner)].filter((each) => each !== call);
    if (call === undefined || distinct.length === 0) continue;
    const measured = distinct.filter(({ usage }) => countTokens(usage) > 0);
    const total = sumTokens(measured.map(({ usage }) => usage ?? zero));
    const isEmpty = countTokens(call.usage) <= 0;
    const repeats = measured.length > 0 && hasSameTokens(call.usage, total);
    const [only] = distinct;
    // A call within a call that has as many tokens, or where one of both has none, is the same call.
    const isSame = distinct.length === 1 && (repeats || isEmpty || measured.length === 0);
    if (isSame && only !== undefined) unite(calls, only, call);
    else if (isEmpty && (measured.length > 0 || !hasCost(call))) sums.add(call);
  }
  const found = [...new Set(calls.values())].filter((call) => !sums.has(call));
  for (const [detached, same] of pairDetached(found)) unite(calls, same, detached);
  return [...new Set(calls.values())].filter((call) => !sums.has(call)).flatMap(toCounted);
}

const zero: Tokens = { promptTokens: 0, completionTokens: 0 };
const isCall = ({ isCall = true }: OwnConsumption) => isCall;
const hasCost = ({ spans }: Call) => spans.some(({ own }) => own.costAmount !== undefined);

/** Returns true if the span's tokens are the sum of several calls directly within it. */
function isSum({ own: { usage } }: CountedSpan, within: readonly CountedSpan[]): boolean {
  if (countTokens(usage) <= 0) return false;
  const measured = within.filter((span) => countTokens(span.own.usage) > 0);
  const inner = [...Map.groupBy(measured, ({ callId }) => callId).values()].map(
    (spans) => bestSpan(spans)?.own.usage ?? zero,
  );
  return inner.length > 1 && hasSameTokens(usage, sumTokens(inner));
}

function unite(calls: Map<CountedSpan, Call>, into: Call, other: Call): void {
  into.spans.push(...other.spans);
  into.usage = mostComplete(into.spans);
  for (const span of other.spans) calls.set(span, into);
}

/** Returns the usage of a call: that of its span with the most tokens, with all details that its spans have. */
function mostComplete(spans: readonly CountedSpan[]): Tokens | undefined {
  const most = bestSpan(spans)?.own.usage;
  if (most === undefined) return undefined;
  const same = spans.flatMap(({ own }) => (hasSameTokens(own.usage, most) && own.usage !== undefined ? own.usage : []));
  const detail = (kind: "cachedTokens" | "cacheWriteTokens" | "reasoningTokens") =>
    Math.max(...same.map((usage) => usage[kind] ?? 0));
  return writtenTokens({
    promptTokens: most.promptTokens,
    completionTokens: most.completionTokens,
    cachedTokens: detail("cachedTokens"),
    cacheWriteTokens: detail("cacheWriteTokens"),
    reasoningTokens: detail("reasoningTokens"),
  });
}

/**
 * Returns the span of the provider's SDK, else the one with the most tokens: other spans of a call may have ended before
 * all tokens were counted, or add up the tokens of a stream's events.
 */
function bestSpan(spans: readonly CountedSpan[]): CountedSpan | undefined {
  return spans.toSorted(byTokens)[0];
}

function byTokens(a: CountedSpan, b: CountedSpan): number {
  const details = ({ own: { usage } }: CountedSpan) =>
    (usage?.cachedTokens ?? 0) +
    (usage?.cacheWriteTokens ?? 0) +
    (usage?.hourWriteTokens ?? 0) +
    (usage?.reasoningTokens ?? 0);
  const isExact = ({ own: { isSdk = false, usage } }: CountedSpan) => Number(isSdk && countTokens(usage) > 0);
  return (
    isExact(b) - isExact(a) ||
    countTokens(b.own.usage) - countTokens(a.own.usage) ||
    details(b) - details(a) ||
    (a.id < b.id ? -1 : 1)
  );
}

/** Returns the call's usage and cost, on its span with the most texts. */
function toCounted({ spans, usage }: Call): { span: CountedSpan; consumption: Consumption }[] {
  const sorted = spans.toSorted(byTokens);
  const texts = Math.max(...sorted.map(({ own }) => own.texts ?? 0));
  const span = sorted.find(({ own }) => (own.texts ?? 0) === texts);
  if (span === undefined) return [];
  const costs = sorted.map(({ own }) => own).filter(({ costAmount }) => costAmount !== undefined);
  // A stated cost takes precedence over computed ones; of these, the one of the most complete usage.
  const cost = (costs.find(({ isPriced = false }) => !isPriced) ?? costs[0])?.costAmount;
  if (cost !== undefined) return [{ span, consumption: { usage, costAmount: cost } }];
  const isEnded = countTokens(usage) > 0 || spans.some(({ own }) => own.isCall === true);
  return [{ span, consumption: { usage, ...(isEnded && { isUnpriced: true }) } }];
}

/** Sorts the spans so that each comes after the spans within it. Spans in a cycle come last. */
function innermostFirst(spans: readonly CountedSpan[]): CountedSpan[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const outermost = new Map<string, number>();
  const depth = (span: CountedSpan): number => {
    const cached = outermost.get(span.id);
    if (cached !== undefined) return cached;
    const path: CountedSpan[] = [];
    const seen = new Set<string>();
    let at: CountedSpan | undefined = span;
    while (at !== undefined && !seen.has(at.id) && !outermost.has(at.id)) {
      seen.add(at.id);
      path.push(at);
      at = at.parentId === null ? undefined : byId.get(at.parentId);
    }
    let below = at === undefined ? 0 : (outermost.get(at.id) ?? 0);
    for (const each of path.toReversed()) outermost.set(each.id, ++below);
    return below;
  };
  return spans.toSorted((a, b) => depth(b) - depth(a) || (a.id < b.id ? -1 : 1));
}

/** Counts usage of spans that are no calls, such as agents, where no span below them counts any. */
function countHolders(all: readonly CountedSpan[], counted: Map<string, Consumption>): void {
  const holders = all.filter(({ callId, own }) => callId !== null && !isCall(own));
  if (holders.length === 0) return;
  const byId = new Map(all.map((span) => [span.id, span]));
  const covered = new Set<string>();
  const cover = (span: CountedSpan) => {
    for (let at = span.parentId; at !== null && !covered.has(at); at = byId.get(at)?.parentId ?? null) covered.add(at);
  };
  for (const span of all) if (isCounted(counted.get(span.id))) cover(span);
  for (const holder of sortHolders(holders, byId)) {
    if (covered.has(holder.id)) continue;
    const { usage, costAmount } = holder.own;
    const isUnpriced = costAmount === undefined && countTokens(usage) > 0;
    counted.set(holder.id, { usage, costAmount, ...(isUnpriced && { isUnpriced }) });
    cover(holder);
  }
}

function sortHolders(holders: readonly CountedSpan[], byId: ReadonlyMap<string, CountedSpan>): CountedSpan[] {
  const inAll = innermostFirst([...byId.values()]);
  const ids = new Set(holders.map(({ id }) => id));
  return inAll.filter(({ id }) => ids.has(id));
}

function isCounted(consumption: Consumption | undefined): boolean {
  return consumption !== undefined && (countTokens(consumption.usage) > 0 || (consumption.costAmount ?? 0) > 0);
}

function isSame(a: Consumption, b: Consumption): boolean {
  const isEqual = isSameUsage(a.usage, b.usage) && a.costAmount === b.costAmount;
  return isEqual && (a.isUnpriced ?? false) === (b.isUnpriced ?? false);
}

/** Returns those fields of a step's JSON that `countCalls` determines. */
export function callFields({ usage, costAmount, isUnpriced }: Consumption): StorableObject {
  return {
    ...(usage !== undefined && { usage: writtenTokens(usage) }),
    ...(costAmount !== undefined && { costAmount }),
    ...(isUnpriced === true && { isUnpriced }),
  };
}
