export type { TokenUsage } from "./cost.ts";
export { priceList, type PriceList } from "./list-prices.ts";
export { type Price, readPrices } from "./price-table.ts";
export { type GetPrice, type ModelPrice, pricing, withTenantPrices } from "./pricing.ts";
export { modelPricesConfig } from "./settings.ts";
