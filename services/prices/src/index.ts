export type { TokenUsage } from "./cost.ts";
export { type PriceList, priceList } from "./list-prices.ts";
export { type Price, readPrices } from "./price-table.ts";
export { type GetPrice, type ModelPrice, pricing, withTenantPrices } from "./pricing.ts";
export { modelPricesConfig } from "./settings.ts";
