import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { invalidFields } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import type { ModelPrice as StoredPrice } from "@ems/prices";
import type {
  ModelPrice,
  ModelPriceListSchema,
  ModelPriceSchema,
  ModelPriceTier,
} from "@ems/proto/experiments/v1/model_price_service";
import type { ModelPriceListRow } from "./entity.ts";

/** Builds the message; an application without a row has no prices. */
export function modelPrices(
  row: Pick<ModelPriceListRow, "prices" | "modifiedAt"> | null | undefined,
): MessageInitShape<typeof ModelPriceListSchema> {
  if (row == null) return {};
  return { prices: row.prices.map(price), modifiedAt: timestampFromDate(row.modifiedAt) };
}

function price({ model, tiers = [], ...amounts }: StoredPrice): MessageInitShape<typeof ModelPriceSchema> {
  return {
    model,
    ...toMessage(amounts),
    tiers: tiers.map(({ above, ...tier }) => ({ aboveInputTokens: BigInt(above), ...toMessage(tier) })),
  };
}

type Amounts = Omit<StoredPrice, "model" | "tiers">;

function toMessage({ input, output, cachedInput, cacheWrite, reasoning }: Amounts) {
  return definedFields({
    inputPerMillion: input,
    outputPerMillion: output,
    cachedInputPerMillion: cachedInput,
    cacheWritePerMillion: cacheWrite,
    reasoningPerMillion: reasoning,
  });
}

/** Converts the prices of a request to the stored form. Throws if two are of the same model. */
export function storedPrices(prices: readonly ModelPrice[]): StoredPrice[] {
  const models = new Set<string>();
  for (const [index, { model, tiers }] of prices.entries()) {
    const name = model.toLowerCase();
    const path = ["prices", index];
    if (models.has(name))
      throw invalidFields([{ path: [...path, "model"], message: "Another price has the same model" }]);
    models.add(name);
    const sizes = new Set(tiers.map(({ aboveInputTokens }) => aboveInputTokens));
    if (sizes.size < tiers.length)
      throw invalidFields([{ path: [...path, "tiers"], message: "Two tiers have the same above_input_tokens" }]);
  }
  return prices.map(({ model, tiers, ...amounts }) => ({
    model,
    ...toStored(amounts),
    ...(tiers.length > 0 && {
      tiers: tiers.map((tier) => ({ above: Number(tier.aboveInputTokens), ...toStored(tier) })),
    }),
  }));
}

function toStored(amounts: Omit<ModelPrice, "model" | "tiers" | "$typeName"> | ModelPriceTier) {
  return definedFields({
    input: amounts.inputPerMillion,
    output: amounts.outputPerMillion,
    cachedInput: amounts.cachedInputPerMillion,
    cacheWrite: amounts.cacheWritePerMillion,
    reasoning: amounts.reasoningPerMillion,
  });
}
