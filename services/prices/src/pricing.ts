import { getCost, priceAt, type TokenUsage } from "./cost.ts";
import { findListPrices } from "./list-prices.ts";
import { isNamed } from "./model-names.ts";
import type { DatedPrice, Price } from "./price-table.ts";

/** Returns US dollars; undefined for a model without a price. `provider` is the name that the caller gives it. */
export type GetPrice = (modelId: string, usage: TokenUsage, at: Date, provider?: string) => number | undefined;

/** Prices of a tenant, which apply to exactly the named models, without regard to case. */
export interface ModelPrice extends DatedPrice {
  readonly model: string;
}

/** Creates a price look-up. An operator's prices replace all list prices of their models. */
export function pricing(own: readonly Price[] = []): GetPrice {
  const byModel = Map.groupBy(
    own.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    ({ model }) => model.toLowerCase(),
  );
  // Longest names first: the longest matching name is the most specific.
  const names = [...byModel.keys()].toSorted((a, b) => b.length - a.length);
  const cache = new Map<string, readonly DatedPrice[] | undefined>();
  const findPrices = (modelId: string, provider: string | undefined) => {
    if (modelId.length > nameLengthMax || (provider?.length ?? 0) > nameLengthMax) return undefined;
    const key = `${provider ?? ""}\n${modelId}`;
    if (cache.has(key)) return cache.get(key);
    const lower = modelId.toLowerCase();
    const name = names.find((each) => isNamed(lower, each));
    const found = name === undefined ? findListPrices(modelId, provider) : byModel.get(name);
    // Callers choose the names, so the cache is bounded.
    if (cache.size >= cachedMax) cache.clear();
    cache.set(key, found);
    return found;
  };
  return (modelId, usage, at, provider) => {
    const price = priceAt(findPrices(modelId, provider) ?? [], at);
    return price === undefined ? undefined : getCost(price, usage);
  };
}

/** Creates a look-up in which a tenant's prices take precedence. */
export function withTenantPrices(prices: readonly ModelPrice[], fallback: GetPrice): GetPrice {
  if (prices.length === 0) return fallback;
  const byModel = new Map(prices.map((price) => [price.model.toLowerCase(), price]));
  return (modelId, usage, at, provider) => {
    const own = byModel.get(modelId.toLowerCase());
    return own === undefined ? fallback(modelId, usage, at, provider) : getCost(own, usage);
  };
}

const cachedMax = 1_000;
/** Maximum length of the name of a model or provider. Longer texts are not names. */
const nameLengthMax = 500;
