import { pricing } from "@ems/prices";
import { expect, test } from "vitest";
import { costMicro } from "./cost.ts";
import { type Protocol, readAnswer } from "./read-answer.ts";

const findPrice = pricing();
const content = [{ type: "text", text: "{}" }];
const choices = [{ message: { content: "{}" }, finish_reason: "stop" }];

/** Usages of one prompt of 17,903 tokens of which 17,817 were read from the cache, with an answer of 100. */
const cached: readonly (readonly [string, Protocol, object])[] = [
  ["Anthropic", "anthropic", { input_tokens: 86, cache_read_input_tokens: 17_817, output_tokens: 100 }],
  [
    "OpenAI",
    "openai",
    { prompt_tokens: 17_903, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 17_817 } },
  ],
  [
    "OpenAI, responses",
    "openai",
    { input_tokens: 17_903, output_tokens: 100, input_tokens_details: { cached_tokens: 17_817 } },
  ],
  [
    "DeepSeek",
    "openai",
    { prompt_tokens: 17_903, completion_tokens: 100, prompt_cache_hit_tokens: 17_817, prompt_cache_miss_tokens: 86 },
  ],
  [
    "LiteLLM for Anthropic",
    "openai",
    { prompt_tokens: 17_903, completion_tokens: 100, total_tokens: 18_003, cache_read_input_tokens: 17_817 },
  ],
  [
    "a server that does not count cached tokens as input",
    "openai",
    { prompt_tokens: 86, completion_tokens: 100, total_tokens: 186, prompt_tokens_details: { cached_tokens: 17_817 } },
  ],
];
/** Usages of the same prompt of which 17,000 tokens were written to the cache. */
const written: typeof cached = [
  ["Anthropic", "anthropic", { input_tokens: 903, cache_creation_input_tokens: 17_000, output_tokens: 100 }],
  [
    "OpenRouter",
    "openai",
    {
      prompt_tokens: 17_903,
      completion_tokens: 100,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 17_000 },
    },
  ],
];

function read(protocol: Protocol, usage: object) {
  const body = JSON.stringify(protocol === "openai" ? { choices, usage } : { content, usage });
  const answer = readAnswer(protocol, Buffer.from(body));
  if (answer.kind !== "completion") throw new Error(`Expected a completion, got ${answer.kind}`);
  const { inputTokens = 0, outputTokens = 0, ...parts } = answer.usage;
  const counts = { ...parts, inputTokens, outputTokens };
  return { counts, cost: costMicro({ prices: null, model: "claude-sonnet-4-5" }, counts, findPrice, new Date()) };
}

test.each(cached)("tokens read from the cache have their own price: %s", (_, protocol, usage) => {
  expect(read(protocol, usage)).toEqual({
    counts: { inputTokens: 17_903, cachedInputTokens: 17_817, outputTokens: 100 },
    cost: 7_104n,
  });
});

test.each(written)("tokens written to the cache have their own price: %s", (_, protocol, usage) => {
  expect(read(protocol, usage)).toEqual({
    counts: { inputTokens: 17_903, cacheWriteTokens: 17_000, outputTokens: 100 },
    cost: 67_959n,
  });
});

test("prices of the connection count cached tokens as input", () => {
  const prices = { inputPerMillion: 3, outputPerMillion: 15 };
  const usage = { inputTokens: 17_903, cachedInputTokens: 17_817, outputTokens: 100 };
  expect(costMicro({ prices, model: "claude-sonnet-4-5" }, usage, findPrice, new Date())).toBe(55_209n);
});
