export { type Price, readPrices } from "./price-table.ts";
export { type GetPrice, pricing, type TokenUsage } from "./pricing.ts";
export { modelPricesConfig } from "./settings.ts";
