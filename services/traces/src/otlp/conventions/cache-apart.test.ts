// Senders whose input excludes a cache that is smaller than the rest of the input: only the names of attributes show it.

import { expect, test } from "vitest";
import { stepFrom } from "../../../test/read-otlp.ts";

const usage = { promptTokens: 8_100, completionTokens: 100, cachedTokens: 3_000, cacheWriteTokens: 100 };
const anthropic = {
  input_tokens: 5_000,
  output_tokens: 100,
  cache_read_input_tokens: 3_000,
  cache_creation_input_tokens: 100,
  cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 },
};
const aiSdk = (
  metadata: object,
  more: object = { "ai.usage.promptTokens": 5_000, "ai.usage.completionTokens": 100 },
) => ({
  "ai.operationId": "ai.generateText.doGenerate",
  "ai.response.providerMetadata": JSON.stringify(metadata),
  ...more,
});

test.each<[string, Record<string, unknown>, number | undefined]>([
  ["AI SDK 4", aiSdk({ anthropic: { cacheReadInputTokens: 3_000, cacheCreationInputTokens: 100 } }), undefined],
  [
    "AI SDK 4, Bedrock",
    aiSdk({ bedrock: { usage: { cacheReadInputTokens: 3_000, cacheWriteInputTokens: 100 } } }),
    undefined,
  ],
  ["AI SDK 5", aiSdk({ anthropic: { usage: anthropic, cacheCreationInputTokens: 100 } }), 60],
  [
    "AI SDK 6, whose input includes the cache",
    aiSdk(
      { anthropic: { usage: anthropic } },
      {
        "ai.usage.inputTokens": 8_100,
        "ai.usage.outputTokens": 100,
        "ai.usage.inputTokenDetails.noCacheTokens": 5_000,
        "ai.usage.inputTokenDetails.cacheReadTokens": 3_000,
        "ai.usage.inputTokenDetails.cacheWriteTokens": 100,
      },
    ),
    60,
  ],
  [
    "Pydantic AI with a later package of prices",
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.details.input_tokens": 5_000,
      "gen_ai.usage.details.output_tokens": 100,
      "gen_ai.usage.details.cache_read_input_tokens": 3_000,
      "gen_ai.usage.details.cache_creation_input_tokens": 100,
      "gen_ai.usage.details.ephemeral_1h_input_tokens": 60,
      "operation.cost": 0,
    },
    60,
  ],
  [
    "OpenInference with the response of Anthropic",
    {
      "openinference.span.kind": "LLM",
      "llm.token_count.prompt": 5_000,
      "llm.token_count.completion": 100,
      "output.value": JSON.stringify({ id: "msg_1", usage: anthropic }),
    },
    60,
  ],
  [
    "OpenInference for LangChain, whose input includes the cache",
    {
      "openinference.span.kind": "LLM",
      "llm.token_count.prompt": 8_100,
      "llm.token_count.completion": 100,
      "llm.token_count.prompt_details.cache_read": 3_000,
      "llm.token_count.prompt_details.cache_write": 100,
      "output.value": JSON.stringify({ usage_metadata: { input_tokens: 8_100 }, usage: anthropic }),
    },
    60,
  ],
])("%s", (_name, attributes, hourWriteTokens) => {
  const step = stepFrom(attributes);
  expect(step.usage).toEqual({ ...usage, ...(hourWriteTokens !== undefined && { hourWriteTokens }) });
  expect(step.costAmount).toBeUndefined();
});
