// Spans of model calls whose consumption is decided, in several orders and batches.

import { expect } from "vitest";
import { type CountedSpan, countCalls, type OwnConsumption } from "../src/traces/count-calls.ts";
import type { CallFacts } from "../src/traces/detached-calls.ts";
import type { Tokens } from "../src/traces/usage.ts";

export interface Facts extends Omit<OwnConsumption, "usage">, CallFacts {
  readonly tokens?: readonly [prompt: number, completion: number];
  readonly details?: Partial<Tokens>;
  readonly in?: string | null;
  /** The response id; null for a span without a call and usage. */
  readonly call?: string | null;
}

export function span(id: string, { tokens, details, in: parentId = null, call = id, ...more }: Facts): CountedSpan {
  const usage = tokens && { promptTokens: tokens[0], completionTokens: tokens[1], ...details };
  const { model, startMs, endMs, ...facts } = more;
  const own = { ...(usage && { usage }), ...facts };
  const counted = { usage: own.usage, costAmount: own.costAmount };
  return { id, parentId, callId: call, own, counted, model, startMs, endMs };
}

/** Creates a trace that receives batches of spans, and decides each time about all of them. */
export function trace() {
  const stored = new Map<string, CountedSpan>();
  const add = (batch: readonly CountedSpan[]) => {
    for (const each of batch) stored.set(each.id, each);
    for (const changed of countCalls([...stored.values()])) stored.set(changed.id, changed);
  };
  const counted = () =>
    Object.fromEntries(
      [...stored.values()]
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap(({ id, counted: { usage, costAmount } }) =>
          usage === undefined && costAmount === undefined
            ? []
            : [[id, [usage?.promptTokens, usage?.completionTokens, costAmount]]],
        ),
    );
  const unpriced = () => [...stored.values()].filter(({ counted }) => counted.isUnpriced).map(({ id }) => id);
  return { add, counted, unpriced };
}

/** Returns the amounts that the spans count; they must be the same in one batch, one by one, and in reverse order. */
export function count(spans: Readonly<Record<string, Facts>>) {
  const list = Object.entries(spans).map(([id, facts]) => span(id, facts));
  const ways = [[list], list.map((each) => [each]), list.toReversed().map((each) => [each])].map((batches) => {
    const { add, counted, unpriced } = trace();
    batches.forEach(add);
    return { counted: counted(), unpriced: unpriced().toSorted() };
  });
  expect(ways[1]).toEqual(ways[0]);
  expect(ways[2]).toEqual(ways[0]);
  return ways[0]?.counted;
}
