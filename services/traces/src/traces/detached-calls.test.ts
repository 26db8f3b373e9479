import fc from "fast-check";
import { expect, test } from "vitest";
import { count, type Facts, span, trace } from "../../test/counted-spans.ts";

/** Two LangChain calls that overlap, each recorded by the provider's SDK, too, in any places of the trace. */
const detached = {
  tokens: [10, 2],
  isCall: true,
  isDetached: true,
  provider: "anthropic",
  model: "claude-sonnet-4-5",
} as const;
const sdk = { ...detached, isDetached: undefined, isSdk: true, model: "claude-sonnet-4-5-20250929" };
const two = {
  a: { ...detached, startMs: 0, endMs: 50 },
  b: { ...detached, startMs: 5, endMs: 60, in: "node" },
  node: { call: null },
  x: { ...sdk, startMs: 6, endMs: 49, call: "msg_1", in: "root" },
  y: { ...sdk, startMs: 7, endMs: 59, call: "msg_2", in: "root" },
} as const;

test("a call of LangChain's callbacks and the SDK's call during it count once", () => {
  const { b: _, y: __, ...single } = two;
  expect(count(single)).toEqual({ x: [10, 2, undefined] });
  expect(count(two)).toEqual({ x: [10, 2, undefined], y: [10, 2, undefined] });
  // The step with the messages counts.
  expect(count({ ...single, a: { ...two.a, texts: 2 } })).toEqual({ a: [10, 2, undefined] });
});

test.each<[string, Facts]>([
  ["at another time", { startMs: 1, endMs: 51 }],
  ["without an end", { endMs: undefined }],
  ["of another model", { model: "claude-sonnet-4" }],
  ["of an unknown model", { model: undefined }],
  ["by another provider", { provider: "aws.bedrock" }],
  ["with other tokens", { tokens: [10, 3] }],
  ["that failed", { isCall: undefined }],
  ["also of the callbacks", { isDetached: true }],
])("a call %s counts apart", (_, facts) => {
  const counted = count({ a: two.a, x: { ...two.x, ...facts } });
  expect(Object.keys(counted ?? {})).toEqual(["a", "x"]);
});

test("a span that knows no cache is the same call without the tokens of the cache", () => {
  const details = { cachedTokens: 8 };
  expect(count({ a: { ...two.a, details }, x: { ...two.x, isSdk: undefined, tokens: [2, 2] } })).toEqual({
    a: [10, 2, undefined],
  });
  const both = count({ a: { ...two.a, details }, x: { ...two.x, tokens: [5, 2], details: { cachedTokens: 3 } } });
  expect(Object.keys(both ?? {})).toEqual(["a", "x"]);
});

test("parallel equal calls count as often as the instrumentation records them, in any order and batching", () => {
  const interval = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }));
  const calls = fc.array(fc.record({ interval, inner: interval, isRecorded: fc.boolean() }), { maxLength: 6 });
  fc.assert(
    fc.property(calls, fc.infiniteStream(fc.nat()), fc.integer({ min: 1, max: 5 }), (list, numbers, size) => {
      const spans = list.flatMap(({ interval: [start, length], inner: [before, after], isRecorded }, at) => {
        const outer = span(`a${at}`, { ...detached, startMs: start, endMs: start + length + before + after });
        const times = { startMs: start + before, endMs: start + before + length };
        return isRecorded ? [outer, span(`x${at}`, { ...sdk, ...times, call: `msg_${at}` })] : [outer];
      });
      const ranked = new Map(spans.map((each) => [each, numbers.next().value as number]));
      const mixed = spans.toSorted((a, b) => (ranked.get(a) ?? 0) - (ranked.get(b) ?? 0));
      const { add, counted } = trace();
      for (let from = 0; from < mixed.length; from += size) add(mixed.slice(from, from + size));
      expect(Object.values(counted())).toEqual(list.map(() => [10, 2, undefined]));
      const whole = trace();
      whole.add(spans);
      expect(counted()).toEqual(whole.counted());
    }),
    { numRuns: 300 },
  );
});
