import { expect, test } from "vitest";
import { count, span, trace } from "../../test/counted-spans.ts";
import { callFields, countCalls, type OwnConsumption } from "./count-calls.ts";

test("a call that repeats the sum of the calls directly within it counts nothing", () => {
  const [a, b] = [{ tokens: [10, 2], in: "outer" } as const, { tokens: [7, 1], in: "outer" } as const];
  expect(count({ outer: { tokens: [17, 3], costAmount: 1 }, a, b })).toEqual({
    a: [10, 2, undefined],
    b: [7, 1, undefined],
  });
  expect(count({ outer: { tokens: [17, 3] }, a })).toEqual({ a: [10, 2, undefined], outer: [17, 3, undefined] });
});

test("equal prompt tokens, or equal completion tokens, make no span a duplicate of another", () => {
  const within = { tokens: [10, 2], in: "outer", costAmount: 0.1 } as const;
  for (const tokens of [[10, 3] as const, [11, 2] as const])
    expect(count({ outer: { tokens, costAmount: 0.2 }, within })).toEqual({
      outer: [...tokens, 0.2],
      within: [10, 2, 0.1],
    });
});

test("equal tokens of siblings without a common response id are two calls", () => {
  const outer = { tokens: [99, 9] } as const;
  const same = { tokens: [10, 2], in: "outer", costAmount: 0.1 } as const;
  expect(count({ a: same, b: same, outer })).toEqual({
    a: [10, 2, 0.1],
    b: [10, 2, 0.1],
    outer: [99, 9, undefined],
  });
});

test("calls without tokens and a span that names itself as its parent keep their cost", () => {
  expect(count({ image: { tokens: [0, 0], costAmount: 0.04 }, sdk: { tokens: [0, 0], in: "image" } })).toEqual({
    image: [0, 0, 0.04],
  });
  expect(count({ loop: { tokens: [5, 1], in: "loop", costAmount: 0.5 } })).toEqual({ loop: [5, 1, 0.5] });
});

test("an inner call counts once in the sum, however many spans record it", () => {
  const inner = { tokens: [10, 2], in: "outer", call: "r1" } as const;
  const other = { tokens: [7, 1], in: "outer" } as const;
  expect(count({ outer: { tokens: [17, 3] }, a: inner, b: { ...inner, tokens: [10, 1] }, other })).toEqual({
    a: [10, 2, undefined],
    other: [7, 1, undefined],
  });
});

test("of three nested spans of one call, the innermost counts", () => {
  const tokens = [10, 2] as const;
  expect(
    count({ outer: { tokens }, middle: { tokens, in: "outer", call: "r1" }, inner: { tokens, in: "middle" } }),
  ).toEqual({
    inner: [10, 2, undefined],
  });
});

test("spans of one response id count once, wherever they are, with the most complete usage", () => {
  const call = "r1";
  expect(
    count({
      aborted: { tokens: [10, 1], call },
      whole: { tokens: [10, 5], in: "elsewhere", call },
      silent: { call, in: "whole", costAmount: 0.3 },
      other: { tokens: [7, 1], call: "r2" },
    }),
  ).toEqual({ other: [7, 1, undefined], whole: [10, 5, 0.3] });
});

test("a stated cost takes precedence over the price table, and a span's own cost over another span's", () => {
  const [tokens, call] = [[10, 2] as const, "r1"];
  const [priced, stated, silent] = [{ costAmount: 0.1, isPriced: true }, { costAmount: 0.2 }, {}];
  const getCost = (...costs: readonly Partial<OwnConsumption>[]) =>
    Object.values(count(Object.fromEntries(costs.map((cost, index) => [index, { tokens, call, ...cost }]))) ?? {});
  expect(getCost(priced, stated)).toEqual([[10, 2, 0.2]]);
  expect(getCost(silent, priced)).toEqual([[10, 2, 0.1]]);
  expect(getCost({ costAmount: 0.3 }, stated)).toEqual([[10, 2, 0.3]]);
});

test("the step with the messages has the tokens and the cost of its call, wherever they were sent", () => {
  const sdk = { tokens: [10, 2], call: "r1", costAmount: 0.1, isPriced: true } as const;
  expect(count({ a: sdk, z: { call: "r1", texts: 2, in: "elsewhere" } })).toEqual({ z: [10, 2, 0.1] });
  expect(count({ outer: { texts: 2 }, sdk: { ...sdk, in: "outer" } })).toEqual({ outer: [10, 2, 0.1] });
  expect(count({ outer: { tokens: [10, 2] }, inner: { in: "outer", texts: 1 } })).toEqual({
    inner: [10, 2, undefined],
  });
  expect(count({ outer: { tokens: [10, 2], texts: 2 }, sdk: { ...sdk, in: "outer" } })).toEqual({
    outer: [10, 2, 0.1],
  });
});

test("a call has the details of all spans with its tokens", () => {
  const { add } = trace();
  const spans = [
    span("a", { tokens: [10, 2], call: "r1", texts: 1 }),
    span("b", { tokens: [10, 2], call: "r1", details: { cachedTokens: 7 } }),
    span("c", { tokens: [10, 2], call: "r1", details: { reasoningTokens: 1 } }),
    span("d", { tokens: [9, 1], call: "r1", details: { cachedTokens: 9 } }),
  ];
  add(spans);
  const [counting] = countCalls(spans).filter(({ id }) => id === "a");
  expect(counting?.counted.usage).toEqual({
    promptTokens: 10,
    completionTokens: 2,
    cachedTokens: 7,
    reasoningTokens: 1,
  });
});

test("an agent's usage counts where no step below it counts", () => {
  const agent = { tokens: [100, 9], isCall: false, costAmount: 0.7 } as const;
  const group = { call: null, in: "agent" } as const;
  expect(count({ agent, group, tool: { call: null, in: "group" } })).toEqual({ agent: [100, 9, 0.7] });
  expect(count({ agent, group, call: { tokens: [10, 2], in: "group" } })).toEqual({ call: [10, 2, undefined] });
  expect(count({ agent, group, call: { in: "group", isCall: true } })).toEqual({ agent: [100, 9, 0.7] });
  const crew = { tokens: [100, 9], isCall: false } as const;
  expect(count({ crew, agent: { ...agent, in: "crew" } })).toEqual({ agent: [100, 9, 0.7] });
  expect(count({ a: { ...crew, in: "b" }, b: { ...crew, in: "a" } })).toBeDefined();
});

test("calls without a known cost are unpriced, once each, and what records no call that ended is not", () => {
  const { add, unpriced } = trace();
  add([
    span("priced", { tokens: [1, 1], costAmount: 0 }),
    span("tokens", { tokens: [1, 1] }),
    span("twin", { call: "r1", isCall: true }),
    span("twin2", { call: "r1", tokens: [3, 3] }),
    span("silent", { isCall: true }),
    span("begun", {}),
    span("agent", { isCall: false, tokens: [0, 0] }),
  ]);
  expect(unpriced()).toEqual(["tokens", "twin2", "silent"]);
});

test("the cost of a sum is the call's cost only if the sum contains this call alone", () => {
  const [call, tokens] = ["r1", [10, 2] as const];
  const inner = { tokens, in: "outer", call, costAmount: 0.1, isPriced: true } as const;
  expect(count({ outer: { tokens, call, costAmount: 0.9 }, inner })).toEqual({ inner: [10, 2, 0.9] });
  expect(
    count({ outer: { tokens: [17, 3], call, costAmount: 0.9 }, inner, more: { tokens: [7, 1], in: "outer" } }),
  ).toEqual({ inner: [10, 2, 0.1], more: [7, 1, undefined] });
});

test("a wrapper without tokens is no call of its own", () => {
  const spans = {
    outer: { isCall: true },
    a: { tokens: [10, 2], in: "outer" },
    b: { tokens: [7, 1], in: "outer" },
  } as const;
  expect(count(spans)).toEqual({ a: [10, 2, undefined], b: [7, 1, undefined] });
});

test("a parent that is no longer a sum, because another call arrived within it, counts after all", () => {
  const { add, counted } = trace();
  add([span("outer", { tokens: [10, 2], costAmount: 0.5 }), span("a", { tokens: [10, 2], in: "outer" })]);
  expect(counted()).toEqual({ a: [10, 2, 0.5] });
  add([span("b", { tokens: [1, 1], in: "outer" })]);
  expect(counted()).toEqual({ a: [10, 2, undefined], b: [1, 1, undefined], outer: [10, 2, 0.5] });
});

test("a step's JSON has the counted usage without zeros of details", () => {
  const usage = { promptTokens: 1, completionTokens: 2, cachedTokens: 0, cacheWriteTokens: 1 };
  expect(callFields({ usage, costAmount: 0.5 })).toEqual({
    usage: { promptTokens: 1, completionTokens: 2, cacheWriteTokens: 1 },
    costAmount: 0.5,
  });
  expect(callFields({ isUnpriced: true })).toEqual({ isUnpriced: true });
});

test("random spans count the same in any order and any split", () => {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
  for (let round = 0; round < 400; round++) {
    const spans = Array.from({ length: 12 }, (_, index) =>
      span(String(index).padStart(2, "0"), {
        ...(random(8) > 0 && { tokens: [random(3), random(2)] as const }),
        ...(random(3) > 0 && { in: String(random(12)).padStart(2, "0") }),
        ...(random(2) > 0 && { call: `r${random(3)}` }),
        ...(random(2) > 0 && { costAmount: 1 + random(5), isPriced: random(2) > 0 }),
        ...(random(4) === 0 && { isCall: false }),
        texts: random(3),
      }),
    );
    const [atOnce, split] = [trace(), trace()];
    atOnce.add(spans);
    const order = spans.map((each) => [random(2 ** 20), each] as const).toSorted(([a], [b]) => a - b);
    for (let at = 0; at < order.length; ) {
      const batch = order.slice(at, at + 1 + random(4)).map(([, each]) => each);
      split.add(batch);
      at += batch.length;
    }
    expect([round, split.counted()]).toEqual([round, atOnce.counted()]);
  }
});

test("the usage of the provider's own SDK takes precedence", () => {
  const outer = { tokens: [10, 6], call: "r", costAmount: 3, isPriced: true, texts: 2 } as const;
  const sdk = { tokens: [10, 5], call: "r", costAmount: 2, isPriced: true, isSdk: true } as const;
  expect(count({ outer, sdk })).toEqual({ outer: [10, 5, 2] });
  expect(count({ outer, sdk: { call: "r", isSdk: true } })).toEqual({ outer: [10, 6, 3] });
});

test("of spans with the same tokens, the one that knows which writes the cache keeps for one hour has the cost", () => {
  const details = { cacheWriteTokens: 8 };
  const a = { tokens: [10, 5], details, call: "r", costAmount: 1, isPriced: true } as const;
  const b = { ...a, details: { ...details, hourWriteTokens: 8 }, costAmount: 2 } as const;
  expect(count({ a, b })).toEqual({ b: [10, 5, 2] });
});
