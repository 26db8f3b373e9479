import type { GetPrice } from "@ems/prices";
import type { Usage } from "../judges/index.ts";

/** Prices set for a connection, in US dollars per million tokens. Cached input costs as much as other input. */
export interface OwnPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

interface Priced {
  readonly prices: OwnPrices | null;
  readonly model: string;
}

/**
 * Returns the cost of a call in whole millionths of a US dollar, rounded up; undefined for a model without prices.
 * Prices set for the connection take precedence over the price table.
 */
export function costMicro({ prices, model }: Priced, usage: Usage, findPrice: GetPrice, at: Date): bigint | undefined {
  const { inputTokens, outputTokens } = usage;
  // Dollars per million tokens are the same as millionths of a dollar per token.
  if (prices !== null) return wholeMicro(inputTokens * prices.inputPerMillion + outputTokens * prices.outputPerMillion);
  const tokens = {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    cachedTokens: usage.cachedInputTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
  };
  const dollars = findPrice(model, tokens, at);
  return dollars === undefined ? undefined : wholeMicro(dollars * 1e6);
}

/** Rounds to 6 digits first, so that the binary fractions of decimal prices do not cause rounding up. */
const wholeMicro = (micro: number) => BigInt(Math.ceil(Number(micro.toFixed(6))));

interface RequestSize {
  readonly system: string;
  readonly prompt: string;
  readonly schema: { readonly json: object };
  readonly maxOutputTokens: number;
}

/** Tokens for the framing of messages, and for the text that the provider adds about the schema. */
const framingTokens = 1_000;

/** Returns the maximum usage of a request: each token of byte-level BPE has at least one byte, even in rare scripts. */
export function tokensMax(request: RequestSize): Usage {
  return { inputTokens: bytesIn(request) + framingTokens, outputTokens: request.maxOutputTokens };
}

/** "On average, in practice, each token corresponds to about 4 bytes" (github.com/openai/tiktoken). */
const bytesPerToken = 4;

/** Estimates the tokens of a call from its texts, but at most `tokensMax`. */
export function estimateTokens(request: RequestSize, answerBytes: number): Usage {
  return {
    inputTokens: Math.ceil(bytesIn(request) / bytesPerToken),
    outputTokens: Math.min(Math.ceil(answerBytes / bytesPerToken), request.maxOutputTokens),
  };
}

function bytesIn({ system, prompt, schema }: RequestSize): number {
  return Buffer.byteLength(system) + Buffer.byteLength(prompt) + Buffer.byteLength(JSON.stringify(schema.json));
}
