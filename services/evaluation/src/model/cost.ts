import type { GetPrice } from "@ems/prices";
import type { Usage } from "../judges/index.ts";

/** A connection's own prices: US dollars per million tokens. */
export interface OwnPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

interface Priced {
  readonly prices: OwnPrices | null;
  readonly model: string;
}

/**
 * Returns the cost of a call in whole millionths of a dollar, rounded up; undefined for a model without a price. The
 * connection's prices precede the price table.
 */
export function costMicro({ prices, model }: Priced, usage: Usage, findPrice: GetPrice, at: Date): bigint | undefined {
  const { inputTokens, outputTokens } = usage;
  // Dollars per million tokens are millionths of a dollar per token.
  if (prices !== null) return wholeMicro(inputTokens * prices.inputPerMillion + outputTokens * prices.outputPerMillion);
  const dollars = findPrice(model, { promptTokens: inputTokens, completionTokens: outputTokens }, at);
  return dollars === undefined ? undefined : wholeMicro(dollars * 1e6);
}

/** Prevents rounding up because of binary fractions of decimal prices. */
const wholeMicro = (micro: number) => BigInt(Math.ceil(Number(micro.toFixed(6))));

interface RequestSize {
  readonly system: string;
  readonly prompt: string;
  readonly schema: { readonly json: object };
  readonly maxOutputTokens: number;
}

/** Tokens for message framing, and for the provider's own text about the schema. */
const framingTokens = 1_000;

/** Returns the maximum usage of a request: a token of byte-level BPE has at least one byte, also in rare scripts. */
export function tokensMax(request: RequestSize): Usage {
  return { inputTokens: bytesIn(request) + framingTokens, outputTokens: request.maxOutputTokens };
}

/** "On average, in practice, each token corresponds to about 4 bytes" (github.com/openai/tiktoken). */
const bytesPerToken = 4;

/** Estimates a call's tokens from its texts, at most `tokensMax`. */
export function estimateTokens(request: RequestSize, answerBytes: number): Usage {
  return {
    inputTokens: Math.ceil(bytesIn(request) / bytesPerToken),
    outputTokens: Math.min(Math.ceil(answerBytes / bytesPerToken), request.maxOutputTokens),
  };
}

function bytesIn({ system, prompt, schema }: RequestSize): number {
  return Buffer.byteLength(system) + Buffer.byteLength(prompt) + Buffer.byteLength(JSON.stringify(schema.json));
}
