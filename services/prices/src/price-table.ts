// Prices of models as data: prices.json, and what an operator's setting adds to it.

import { readFileSync } from "node:fs";
import { z } from "zod";
import listPrices from "./prices.json" with { type: "json" };

const amount = z.number().nonnegative();

const price = z.strictObject({
  /** A name, which versions of the model may extend; with `*` at its end, whatever begins so. */
  model: z.string().min(1),
  /** The UTC day from which it holds; the first one of a model also holds before. */
  from: z.iso.date(),
  /** US dollars for a million tokens, as the others. */
  input: amount,
  output: amount,
  /** Of input tokens that the provider had cached. */
  cachedInput: amount.optional(),
});

export type Price = z.infer<typeof price>;

/** By provider, which only people look at. */
const table = z.record(z.string(), z.array(price));

const pricesIn = (table: Readonly<Record<string, Price[]>>): Price[] => Object.values(table).flat();

export const prices: readonly Price[] = pricesIn(table.parse(listPrices));

/** Reads an operator's prices: JSON, or the path of a file with it. Throws a sentence. */
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
    throw new Error("is neither JSON nor the path of a file that can be read");
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("is not JSON");
  }
}
