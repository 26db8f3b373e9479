export { type PriceOf, pricing, type TokenUsage } from "./price-of.ts";
export { type Price, readPrices } from "./price-table.ts";
export { modelPricesConfig } from "./settings.ts";
