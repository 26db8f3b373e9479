// Pure: finds model calls that callbacks (LangChain's) and another instrumentation recorded without a common response id.
// Spans of callbacks are detached: the other span of the same call is not within them, but anywhere in the trace.

import { countTokens, hasSameTokens, type Tokens } from "./usage.ts";

/** Facts of a step by which two spans of one call are recognized. */
export interface CallFacts {
  readonly model?: string | undefined;
  /** Whole milliseconds, so that stored and new spans compare alike. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
}

interface Recorded {
  readonly spans: readonly (CallFacts & {
    readonly id: string;
    readonly callId: string | null;
    readonly own: {
      readonly isCall?: boolean | undefined;
      readonly isDetached?: boolean | undefined;
      readonly provider?: string | undefined;
    };
  })[];
  readonly usage: Tokens | undefined;
}

/** Reads the facts of a stored step. */
export function readFacts(timestamp: Date, endTime: unknown, modelId: unknown): CallFacts {
  return {
    startMs: timestamp.getTime(),
    ...(typeof endTime === "number" && { endMs: endTime }),
    ...(typeof modelId === "string" && { model: modelId }),
  };
}

/**
 * Pairs detached calls with other calls that are the same. Each call is in one pair at most, so that parallel equal calls
 * remain apart: the number of pairs is the largest possible.
 */
export function pairDetached<Call extends Recorded>(calls: readonly Call[]): (readonly [detached: Call, same: Call])[] {
  const all = calls.flatMap((call) => summarize(call) ?? []);
  const attached = all.filter(({ detached }) => detached === "none").toSorted(by(({ start }) => start));
  const free = new Set(attached);
  // The outer call that ends first takes the inner one that starts first: no other choice gives more pairs.
  return all
    .filter(({ detached }) => detached === "all")
    .toSorted(by(({ end }) => end))
    .flatMap((outer) => {
      const inner = attached.find((other) => free.has(other) && isSame(outer, other));
      if (inner === undefined) return [];
      free.delete(inner);
      return [[outer.call, inner.call] as const];
    });
}

interface Summary<Call> {
  readonly call: Call;
  readonly id: string;
  readonly usage: Tokens;
  readonly detached: "all" | "some" | "none";
  readonly hasResponseId: boolean;
  readonly start: number;
  readonly end: number;
  readonly models: readonly string[];
  readonly providers: readonly string[];
}

/** Returns undefined for a call that lacks a fact: it is never the same as another one. */
function summarize<Call extends Recorded>(call: Call): Summary<Call> | undefined {
  const { spans, usage } = call;
  if (usage === undefined || countTokens(usage) <= 0 || spans.some(({ own }) => own.isCall !== true)) return undefined;
  const detached = spans.filter(({ own }) => own.isDetached === true).length;
  return {
    call,
    usage,
    id: spans.map(({ id }) => id).toSorted()[0] ?? "",
    detached: detached === 0 ? "none" : detached === spans.length ? "all" : "some",
    hasResponseId: spans.some(({ id, callId }) => callId !== id),
    // NaN without a time: every comparison is false.
    start: Math.min(...spans.map(({ startMs }) => startMs ?? Number.NaN)),
    end: Math.max(...spans.map(({ endMs }) => endMs ?? Number.NaN)),
    models: spans.flatMap(({ model }) => (model === undefined || model === "" ? [] : withoutDate(model))),
    providers: spans.flatMap(({ own }) => own.provider ?? []),
  };
}

/** Returns true if the other call took place during the detached one, and all that is known about both agrees. */
function isSame(detached: Summary<unknown>, other: Summary<unknown>): boolean {
  return (
    detached.start <= other.start &&
    other.end <= detached.end &&
    !(detached.hasResponseId && other.hasResponseId) &&
    isSameUsage(detached.usage, other.usage) &&
    detached.models.some((model) => other.models.includes(model)) &&
    detached.providers.every((provider) => other.providers.every((name) => name === provider))
  );
}

/** Returns true for equal tokens; a span that knows no cache may lack the tokens that the cache had. */
function isSameUsage(a: Tokens, b: Tokens): boolean {
  if (hasSameTokens(a, b)) return true;
  const isUncached = countCache(a) === 0 || countCache(b) === 0;
  const isSameInput = a.promptTokens - countCache(a) === b.promptTokens - countCache(b);
  return isUncached && isSameInput && a.completionTokens === b.completionTokens;
}

const countCache = ({ cachedTokens = 0, cacheWriteTokens = 0 }: Tokens) => cachedTokens + cacheWriteTokens;

/** Cuts the date of a version: one span may have the requested name, and the other that of the response. */
function withoutDate(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");
}

function by<Item extends { readonly id: string }>(read: (item: Item) => number): (a: Item, b: Item) => number {
  return (a, b) => read(a) - read(b) || (a.id < b.id ? -1 : 1);
}
