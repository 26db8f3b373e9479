import { z } from "zod";
import { readPrices } from "./price-table.ts";

/** Settings of a service that prices model calls. */
export const modelPricesConfig = {
  MODEL_PRICES: z
    .string()
    .transform((text, context) => {
      try {
        return readPrices(text);
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : String(error));
        return z.NEVER;
      }
    })
    .optional()
    .describe(
      "Prices of models that replace or add to the list prices (`services/prices/README.md`): JSON, or a file's path.",
    ),
};
