// Prices of model calls: amounts by kind of token, tiers by the size of the input, dates and hours.

import { readFileSync } from "node:fs";
import { z } from "zod";

const amount = z.number().nonnegative().max(1e9);

/** US dollars per million tokens. */
const amounts = {
  input: amount.optional(),
  output: amount.optional(),
  /** Price of input tokens that the provider read from its cache; by default that of input. */
  cachedInput: amount.optional(),
  /** Price of input tokens that the provider wrote to its cache; by default that of input. */
  cacheWrite: amount.optional(),
  /** Price of output tokens of reasoning; by default that of output. */
  reasoning: amount.optional(),
};

export const amountNames = ["input", "output", "cachedInput", "cacheWrite", "reasoning"] as const;
export type Amounts = { readonly [Name in (typeof amountNames)[number]]?: number | undefined };

const tier = z.strictObject({ above: z.int().nonnegative(), ...amounts });

/** Prices of a model. In a list of a model's prices, the last one that applies at the time of the call counts. */
export const dated = {
  /** UTC day from which the price applies. */
  from: z.iso.date().optional(),
  /** UTC times of day from and until which the price applies, such as 16:30. The second may be on the next day. */
  hours: z.tuple([z.iso.time(), z.iso.time()]).optional(),
  ...amounts,
  /** Amounts for all tokens of calls with more input tokens than `above`. */
  tiers: z.array(tier).max(20).optional(),
};
const datedPrice = z.strictObject(dated);

export type DatedPrice = z.infer<typeof datedPrice>;

const price = z.strictObject({
  /** Model name, also for its dated versions. With `*` at the end, a prefix. */
  model: z.string().min(1),
  ...dated,
  from: z.iso.date(),
  input: amount,
  output: amount,
});

/** A price that an operator sets. */
export type Price = z.infer<typeof price>;

/** Prices grouped by provider. The groups are only for readers of the file. */
const table = z.record(z.string(), z.array(price));

/** Reads an operator's prices from JSON, or from a file if `text` is a path. Error messages are sentences. */
export function readPrices(text: string): Price[] {
  const json = text.trimStart().startsWith("{") ? text : fileText(text);
  const result = table.safeParse(parsed(json));
  if (result.success) return Object.values(result.data).flat();
  const [issue] = result.error.issues;
  throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error("must be JSON or the path of a readable file");
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("is not JSON");
  }
}
