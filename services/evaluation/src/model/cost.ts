import type { PriceOf } from "@ems/prices";
import type { Usage } from "../judges/index.ts";

/** A connection's own prices: US dollars for a million tokens. */
export interface OwnPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

interface Priced {
  readonly prices: OwnPrices | null;
  readonly model: string;
}

/**
 * What a call costs, in whole millionths of a dollar, rounded up; undefined for a model without a price. The connection's
 * prices precede the price table's.
 */
export function costMicro({ prices, model }: Priced, usage: Usage, priceOf: PriceOf, at: Date): bigint | undefined {
  const { inputTokens, outputTokens } = usage;
  // Dollars for a million tokens are millionths of a dollar for a token.
  if (prices !== null) return wholeMicro(inputTokens * prices.inputPerMillion + outputTokens * prices.outputPerMillion);
  const dollars = priceOf(model, { promptTokens: inputTokens, completionTokens: outputTokens }, at);
  return dollars === undefined ? undefined : wholeMicro(dollars * 1e6);
}

/** Binary fractions of decimal prices do not make a millionth more. */
const wholeMicro = (micro: number) => BigInt(Math.ceil(Number(micro.toFixed(6))));

interface RequestSize {
  readonly system: string;
  readonly prompt: string;
  readonly schema: { readonly json: object };
  readonly maxOutputTokens: number;
}

/** Framing of messages, and the provider's own words about the schema. */
const framingTokens = 1_000;

/** The most that a request can take: a token of byte-level BPE has at least a byte, and rare scripts no more than that. */
export function tokensMax(request: RequestSize): Usage {
  return { inputTokens: bytesIn(request) + framingTokens, outputTokens: request.maxOutputTokens };
}

/** "On average, in practice, each token corresponds to about 4 bytes" (github.com/openai/tiktoken). */
const bytesPerToken = 4;

/** Tokens of a call by its texts, never more than `tokensMax`. */
export function estimateTokens(request: RequestSize, answerBytes: number): Usage {
  return {
    inputTokens: Math.ceil(bytesIn(request) / bytesPerToken),
    outputTokens: Math.min(Math.ceil(answerBytes / bytesPerToken), request.maxOutputTokens),
  };
}

function bytesIn({ system, prompt, schema }: RequestSize): number {
  return Buffer.byteLength(system) + Buffer.byteLength(prompt) + Buffer.byteLength(JSON.stringify(schema.json));
}
