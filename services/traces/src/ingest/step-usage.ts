// Pure: reads the tokens of a step in the spellings that events may use: this API's, and those of the responses of OpenAI,
// Anthropic and Vercel's AI SDK.

import type { IngestTokens, IngestUsage } from "@ems/proto/experiments/v1/ingest_service";
import { consistentTokens, type Tokens } from "../traces/index.ts";

interface Usage {
  readonly usage?: IngestUsage | undefined;
  readonly tokens?: IngestTokens | undefined;
}

export function readUsage({ usage, tokens }: Usage): Tokens | undefined {
  if (usage !== undefined) return fromUsage(usage);
  if (tokens === undefined) return undefined;
  const { input = 0n, output, cachedInput, cacheWrite, reasoning } = tokens;
  return consistentTokens({
    promptTokens: Number(input),
    completionTokens: toNumber(output),
    cachedTokens: toNumber(cachedInput),
    cacheWriteTokens: toNumber(cacheWrite),
    reasoningTokens: toNumber(reasoning),
  });
}

function fromUsage(usage: IngestUsage): Tokens | undefined {
  const { rawCacheReadInputTokens: read, rawCacheCreationInputTokens: created, rawInputTokens: anthropic } = usage;
  const prompt = usage.promptTokens ?? usage.aiInputTokens ?? usage.rawPromptTokens ?? usage.rawInputTokens ?? 0n;
  const details = usage.rawPromptTokensDetails ?? usage.rawInputTokensDetails;
  const cached = usage.cachedTokens ?? usage.aiCachedInputTokens ?? details?.cachedTokens;
  const outputDetails = usage.rawCompletionTokensDetails ?? usage.rawOutputTokensDetails;
  // Anthropic's API states input without its cache.
  const isCacheApart = anthropic !== undefined && anthropic === prompt && cached === undefined;
  return consistentTokens({
    promptTokens: Number(prompt + (isCacheApart ? (read ?? 0n) + (created ?? 0n) : 0n)),
    completionTokens: toNumber(
      usage.completionTokens ?? usage.aiOutputTokens ?? usage.rawCompletionTokens ?? usage.rawOutputTokens,
    ),
    cachedTokens: toNumber(cached ?? read),
    cacheWriteTokens: toNumber(usage.cacheWriteTokens ?? created),
    reasoningTokens: toNumber(usage.reasoningTokens ?? outputDetails?.reasoningTokens),
  });
}

function toNumber(count: bigint | undefined): number | undefined {
  return count === undefined ? undefined : Number(count);
}
