import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@ems/kit/config";
import { describe, expect, test } from "vitest";
import { modelPricesConfig, pricing, readPrices, withTenantPrices } from "./index.ts";
import recorded from "./recorded-costs.json" with { type: "json" };

const million = { promptTokens: 1_000_000, completionTokens: 1_000_000 };
const thousand = { promptTokens: 1_000, completionTokens: 1_000 };
const now = new Date("2026-11-01T00:00:00Z");

const usages = recorded.usages.map((usage: Record<string, number>) => ({
  promptTokens: usage.input_tokens ?? 0,
  completionTokens: usage.output_tokens ?? 0,
  cachedTokens: usage.cache_read_tokens,
  cacheWriteTokens: usage.cache_write_tokens,
  reasoningTokens: usage.output_reasoning_tokens,
}));

test.each(recorded.names)("$name of $provider costs what the price package computes", ({ name, provider, costs }) => {
  const computed = recorded.times.map((time) =>
    usages.map((usage) => pricing()(name, usage, new Date(time), provider) ?? null),
  );
  expect(computed.length).toBe(costs.length);
  for (const [index, row] of computed.entries())
    for (const [column, cost] of row.entries()) expect(cost).toBeCloseTo(costs[index]?.[column] ?? Number.NaN, 10);
});

test("names of several hundred models are recorded, of six providers", () => {
  expect(recorded.names.length).toBeGreaterThan(400);
  expect([...new Set(recorded.names.map(({ provider }) => provider))].toSorted()).toEqual([
    "anthropic",
    "deepseek",
    "google",
    "mistral",
    "openai",
    "x-ai",
  ]);
});

test.each([
  ["gpt-4o", 0.0125],
  ["gpt-4o-2024-08-06", 0.0125],
  ["gpt-4o-2024-05-13", 0.02],
  ["gpt-4o-mini-2024-07-18", 0.00075],
  ["GPT-4o", 0.0125],
  ["openai/gpt-4o-mini", 0.00075],
  ["gpt-5-mini-2026-08-07", 0.00225],
  ["gpt-35-turbo", 0.002],
  ["gpt-4.1-nano", 0.0005],
  ["claude-sonnet-4-5-20250929", 0.018],
  ["claude-3-5-sonnet-latest", 0.018],
  ["anthropic/claude-3.5-sonnet", 0.018],
  ["us.anthropic.claude-3-5-sonnet-20241022-v2:0", 0.018],
  ["claude-3-5-haiku@20241022", 0.0048],
  ["claude-opus-4-1", 0.09],
  ["claude-opus-4-20250514", 0.09],
  ["claude-opus-4-7", 0.03],
  ["claude-opus-4-8", 0.03],
  ["models/gemini-2.5-flash", 0.0028],
  ["gemini-1.5-pro-002", 0.00625],
  ["mistral-large-latest", 0.008],
  ["chatgpt-4o", 0.02],
  ["mistral-small", 0.0004],
  ["amazon.nova-pro-v1:0", 0.004],
  ["us.amazon.nova-lite-v1:0", 0.0003],
  ["text-embedding-3-small", 0.00002],
])("a thousand tokens each way of %s cost %d dollars", (model, cost) => {
  expect(pricing()(model, thousand, now)).toBe(cost);
});

test.each([
  "llama3",
  "llama-3.3-70b-versatile",
  "",
  "__proto__",
  "ft:gpt-4o:me",
  "x/gpt",
  "claude-opus-4-97",
  "claude-opus-4-97-20261001",
  "claude-sonnet-5-97",
  "claude-sonnet-4-5-1",
  "gpt-4o-3",
  "gpt-5.97",
  "grok-4.97",
  "gemini-2.97-flash",
])("%j has no price and does not get another model's", (model) => {
  expect(pricing()(model, million, now)).toBeUndefined();
});

test.each([
  ["read", { cachedTokens: 17_817 }, 0.0071031],
  ["written", { cacheWriteTokens: 17_000 }, 0.067959],
])("tokens that are %s from or to the cache have their own price", (_name, cache, cost) => {
  const usage = { promptTokens: 17_903, completionTokens: 100, ...cache };
  expect(pricing()("claude-sonnet-4-5", usage, now)).toBe(cost);
});

test("the tier of a call counts for all of its tokens, and begins above its size", () => {
  const cost = (promptTokens: number) => pricing()("claude-sonnet-4-5", { promptTokens, completionTokens: 1_000 }, now);
  expect([cost(200_000), cost(200_001)]).toEqual([0.615, 1.222506]);
});

test("a price applies from its day on; the first one also before it", () => {
  const at = (day: string) =>
    pricing()("claude-sonnet-4-6", { promptTokens: 300_000, completionTokens: 0 }, new Date(day));
  expect(["2020-01-01", "2026-03-12T23:59:59Z", "2026-03-13"].map(at)).toEqual([1.8, 1.8, 0.9]);
});

test("prices may depend on the hour in UTC, also across midnight", () => {
  const own = readPrices(
    JSON.stringify({
      mine: [
        { model: "owl", from: "2026-01-01", input: 4, output: 0 },
        { model: "owl", from: "2026-01-01", hours: ["22:00", "06:00"], input: 1, output: 0 },
      ],
    }),
  );
  const at = (time: string) => pricing(own)("owl", million, new Date(`2026-05-01T${time}Z`));
  expect(["21:59:59", "22:00:00", "05:59:59", "06:00:00"].map(at)).toEqual([4, 1, 1, 4]);
});

test("small amounts are exact, and huge ones are rounded once", () => {
  const getPrice = pricing();
  expect(getPrice("gpt-4o-mini", { promptTokens: 11, completionTokens: 7 }, now)).toBe(0.00000585);
  expect(getPrice("gpt-4o", { promptTokens: 0, completionTokens: 0 }, now)).toBe(0);
  const own = readPrices(JSON.stringify({ mine: [{ model: "m", from: "2026-01-01", input: 0.1, output: 0.7 }] }));
  expect(pricing(own)("m", { promptTokens: 3, completionTokens: 9_007_199_254_740_991 }, now)).toBe(6305039478.318694);
});

test("a provider's own prices count if the call names it", () => {
  const usage = { promptTokens: 300_000, completionTokens: 0 };
  const cost = (provider?: string) => pricing()("claude-opus-4-6", usage, now, provider);
  expect([cost(), cost("anthropic"), cost("gcp.vertex_ai"), cost("unheard-of")]).toEqual([1.5, 1.5, 3, 1.5]);
  expect(pricing()("llama-3.3-70b-versatile", thousand, now, "groq")).toBe(0.00138);
});

describe("a tenant's prices", () => {
  const own = [{ model: "Ft:Mine", input: 2, output: 4, cachedInput: 1, tiers: [{ above: 10, input: 3 }] }];

  test("apply to exactly the named model, and precede all others", () => {
    const operator = readPrices(JSON.stringify({ mine: [{ model: "ft:*", from: "2026-01-01", input: 9, output: 9 }] }));
    const getPrice = withTenantPrices(own, pricing(operator));
    expect(getPrice("ft:mine", { promptTokens: 10, completionTokens: 10 }, now)).toBe(0.00006);
    expect(getPrice("ft:mine", { promptTokens: 20, completionTokens: 0, cachedTokens: 10 }, now)).toBe(0.00004);
    expect(getPrice("ft:mine-2", million, now)).toBe(18);
    expect(getPrice("gpt-4o", thousand, now)).toBe(0.0125);
  });
});

describe("an operator's prices", () => {
  const own = [
    { model: "gpt-4o", from: "2026-01-01", input: 1, output: 1, cachedInput: 0.5 },
    { model: "my-*", from: "2026-01-01", input: 2, output: 3 },
  ];

  test("replace their models' list prices and add models", () => {
    const getPrice = pricing(readPrices(JSON.stringify({ mine: own })));
    expect(getPrice("gpt-4o", million, new Date("2025-01-01"))).toBe(2);
    expect(getPrice("gpt-4o-mini", million, now)).toBe(0.75);
    expect(getPrice("gpt-4o", { ...million, cachedTokens: 1_000_000 }, now)).toBe(1.5);
    expect(getPrice("my-fine-tuned", million, now)).toBe(5);
  });

  test("are text or a file", async () => {
    const directory = await mkdtemp(join(tmpdir(), "prices-"));
    const file = join(directory, "prices.json");
    await writeFile(file, JSON.stringify({ mine: own }));
    expect(readPrices(file)).toEqual(own);
    await rm(directory, { recursive: true });
  });

  test.each([
    ["{", /MODEL_PRICES: is not JSON/],
    ["/nowhere", /JSON or the path of a readable file/],
    ['{"me": [{"model": "a", "from": "2026-01-01", "input": -1, "output": 1}]}', /MODEL_PRICES: me\.0\.input: /],
    ['{"me": [{"model": "a", "from": "soon", "input": 1, "output": 1}]}', /me\.0\.from/],
  ])("%j is refused at start", (MODEL_PRICES, message) => {
    expect(() => readConfig(modelPricesConfig, { MODEL_PRICES })).toThrow(message);
  });
});

test.each([
  ["repeated numbers", `gpt-4o${"-1".repeat(200)}x`],
  ["repeated versions", `gpt-4o${"-v1:0".repeat(90)}x`],
  ["hyphens", `gpt-4o-1${"-".repeat(400)}x`],
  ["a long text", `gpt-4o-${"1".repeat(1_000_000)}`],
])(
  "a model name with %s is quickly found to have no price",
  (_name, modelId) => {
    const startMs = performance.now();
    expect(pricing()(modelId, million, now)).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(500);
  },
  30_000,
);

test.each([
  ["claude-sonnet-4-5", undefined, 0.106209],
  ["claude-sonnet-4-5", 17_000, 0.106209],
  ["claude-sonnet-4-5", 7_000, 0.083709],
])("%s: writes to the cache of one hour cost twice the input", (model, hourWriteTokens = 99_999, cost) => {
  const usage = { promptTokens: 17_903, completionTokens: 100, cacheWriteTokens: 17_000, hourWriteTokens };
  expect(pricing()(model, usage, now)).toBe(cost);
  const own = withTenantPrices([{ model, input: 3, output: 15 }], pricing());
  expect(own(model, usage, now)).toBe(0.055209);
});
