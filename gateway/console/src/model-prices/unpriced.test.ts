import { expect, test } from "vitest";
import { newPrice, withModels } from "./price-draft.ts";
import { listUnpricedModels } from "./unpriced.ts";

const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

test("models without a price are listed once, without steps that have a cost or no tokens", () => {
  const steps = [
    { modelId: "own-1", usage },
    { modelId: "own-1", usage },
    { modelId: "priced", usage, costAmount: 0.1 },
    { modelId: "no-tokens" },
    { usage },
  ];
  expect(listUnpricedModels(steps)).toEqual(["own-1"]);
});

test("the form gets a price for each model that has none", () => {
  const stored = { prices: [newPrice("own-1")] };
  expect(withModels(stored, ["own-1", "own-2"]).map(({ model }) => model)).toEqual(["own-1", "own-2"]);
});
