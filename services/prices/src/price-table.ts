// Prices of models: prices.json and an operator's additions.

import { readFileSync } from "node:fs";
import { z } from "zod";
import listPrices from "./prices.json" with { type: "json" };

const amount = z.number().nonnegative();

const price = z.strictObject({
  /** Model name, also for its versions. With `*` at the end, a prefix. */
  model: z.string().min(1),
  /** UTC day from which the price applies. A model's first price also applies before. */
  from: z.iso.date(),
  /** US dollars per million tokens, like the other amounts. */
  input: amount,
  output: amount,
  /** Price of input tokens that the provider had cached. */
  cachedInput: amount.optional(),
});

export type Price = z.infer<typeof price>;

/** Prices grouped by provider. The groups are only for readers of the file. */
const table = z.record(z.string(), z.array(price));

const pricesIn = (table: Readonly<Record<string, Price[]>>): Price[] => Object.values(table).flat();

export const prices: readonly Price[] = pricesIn(table.parse(listPrices));

/** Reads an operator's prices from JSON, or from a file if `text` is a path. Error messages are sentences. */
export function readPrices(text: string): Price[] {
  const json = text.trimStart().startsWith("{") ? text : fileText(text);
  const result = table.safeParse(parsed(json));
  if (result.success) return pricesIn(result.data);
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
