import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@ems/kit/config";
import { describe, expect, test } from "vitest";
import { modelPricesConfig, pricing, readPrices } from "./index.ts";
import { prices } from "./price-table.ts";

const million = { promptTokens: 1_000_000, completionTokens: 1_000_000 };
const now = new Date("2026-03-01T00:00:00Z");

test.each([
  ["gpt-4o", 12.5],
  ["gpt-4o-2024-08-06", 12.5],
  ["gpt-4o-2024-05-13", 20],
  ["gpt-4o-mini-2024-07-18", 0.75],
  ["GPT-4o", 12.5],
  ["openai/gpt-4o-mini", 0.75],
  ["gpt-35-turbo", 2],
  ["gpt-4.1-nano", 0.5],
  ["claude-sonnet-4-5-20250929", 18],
  ["claude-3-5-sonnet-latest", 18],
  ["anthropic/claude-3.5-sonnet", 18],
  ["us.anthropic.claude-3-5-sonnet-20241022-v2:0", 18],
  ["claude-3-5-haiku@20241022", 4.8],
  ["models/gemini-2.5-flash", 2.8],
  ["gemini-1.5-pro-002", 6.25],
  ["mistral-large-latest", 8],
  ["command-r-plus-08-2024", 12.5],
  ["text-embedding-3-small", 0.02],
])("a million tokens each way of %s cost %d dollars", (model, cost) => {
  expect(pricing()(model, million, now)).toBe(cost);
});

test.each(["gpt-4o-audio", "gpt-4o-audio-preview", "llama3", "", "__proto__", "ft:gpt-4o:me", "x/gpt"])(
  "%j has no price and does not get another model's",
  (model) => {
    expect(pricing()(model, million, now)).toBeUndefined();
  },
);

test("a price applies from its day on; the first one also before it", () => {
  const at = (day: string) => pricing()("o3", million, new Date(day));
  expect(["2025-01-01", "2025-04-16", "2025-06-09T23:59:59Z", "2025-06-10"].map(at)).toEqual([50, 50, 50, 10]);
});

test("small amounts are exact, and cached tokens have their own price", () => {
  const getPrice = pricing();
  expect(getPrice("gpt-4o-mini", { promptTokens: 11, completionTokens: 7 }, now)).toBe(0.00000585);
  expect(getPrice("gpt-4o", { promptTokens: 1_000_000, completionTokens: 0, cachedTokens: 400_000 }, now)).toBe(2);
  expect(getPrice("gpt-4o", { promptTokens: 0, completionTokens: 0 }, now)).toBe(0);
});

test("each model's prices are in order of their days, without duplicates", () => {
  const keys = prices.map(({ model, from }) => `${model} ${from}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(prices.filter(({ model }) => model !== model.toLowerCase())).toEqual([]);
});

describe("an operator's prices", () => {
  const own = [
    { model: "gpt-4o", from: "2026-01-01", input: 1, output: 1 },
    { model: "my-*", from: "2026-01-01", input: 2, output: 3 },
  ];

  test("replace their models' list prices and add models", () => {
    const getPrice = pricing(readPrices(JSON.stringify({ mine: own })));
    expect(getPrice("gpt-4o", million, new Date("2025-01-01"))).toBe(2);
    expect(getPrice("gpt-4o-mini", million, now)).toBe(0.75);
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
