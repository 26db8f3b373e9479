// Draft of the model prices, in the order in which they are sent, because the API's issues refer to prices by index.

import type { Field } from "../edits/fields.ts";
import type { ModelPrice, ModelPrices } from "./price-requests.ts";

export interface PricesDraft {
  /** Named like the API's field, so that the paths of the API's issues are also paths of the draft's fields. */
  readonly prices: readonly Price[];
}

/** A price as text of inputs. */
export interface Price {
  readonly model: string;
  readonly inputPerMillion: string;
  readonly outputPerMillion: string;
  readonly cachedInputPerMillion: string;
  readonly cacheWritePerMillion: string;
  readonly reasoningPerMillion: string;
  /** Tiers stay unchanged; only the API sets them. */
  readonly tiers: ModelPrice["tiers"];
}

export const amounts = [
  { name: "inputPerMillion", label: "Input", isRequired: true },
  { name: "outputPerMillion", label: "Output", isRequired: true },
  { name: "cachedInputPerMillion", label: "Cached input", isRequired: false },
  { name: "cacheWritePerMillion", label: "Cache write", isRequired: false },
  { name: "reasoningPerMillion", label: "Reasoning", isRequired: false },
] as const;

export const newPrice = (model = ""): Price => ({
  model,
  inputPerMillion: "",
  outputPerMillion: "",
  cachedInputPerMillion: "",
  cacheWritePerMillion: "",
  reasoningPerMillion: "",
  tiers: [],
});

/** Adds an empty price for each model that has none. */
export const withModels = ({ prices }: PricesDraft, models: readonly string[]): readonly Price[] => [
  ...prices,
  ...models.filter((model) => prices.every((price) => price.model !== model)).map((model) => newPrice(model)),
];

const text = (amount: number | null | undefined) => (amount == null ? "" : String(amount));

const toPrice = (price: ModelPrice): Price => ({
  model: price.model,
  inputPerMillion: text(price.inputPerMillion),
  outputPerMillion: text(price.outputPerMillion),
  cachedInputPerMillion: text(price.cachedInputPerMillion),
  cacheWritePerMillion: text(price.cacheWritePerMillion),
  reasoningPerMillion: text(price.reasoningPerMillion),
  tiers: price.tiers,
});

export const toDraft = ({ data }: { readonly data: ModelPrices }): PricesDraft => ({
  prices: data.prices.map(toPrice),
});

/** Converts a price to the API's form. Omits empty amounts; the API names a required one that is missing. */
export function toModelPrice({ model, tiers, ...price }: Price): ModelPrice {
  const entries = amounts.flatMap(({ name }) =>
    price[name].trim() === "" ? [] : [[name, toAmount(price[name])] as const],
  );
  // Safe cast: the API checks that the required amounts are there.
  return { model: model.trim(), tiers, ...Object.fromEntries(entries) } as ModelPrice;
}

/** Returns a number, else the text itself, which the API refuses with a message for the field. */
function toAmount(text: string): number | string {
  const amount = Number(text.trim().replace(",", "."));
  return Number.isFinite(amount) ? amount : text;
}

const priceText = (price: Price) =>
  amounts.map(({ name, label }) => `${label}: ${price[name] || "default"}`).join("\n");

/** Returns fields that compare prices by model, because indexes change when a price is added or removed. */
export const priceFields = (drafts: readonly PricesDraft[]): Field<PricesDraft>[] => {
  const models = new Set(drafts.flatMap(({ prices }) => prices.map(({ model }) => model)));
  const named = (model: string) => (draft: PricesDraft) => draft.prices.filter((price) => price.model === model);
  return [...models].map((model) => ({
    label: `Price: ${model}`,
    value: named(model),
    text: (draft) => named(model)(draft).map(priceText).join("\n\n"),
  }));
};
