import { get, post, put, type Schemas } from "../api/request.ts";

export type ModelPrice = Schemas["ModelPrice"];
export type ModelPrices = Schemas["ModelPriceList"];
export type RepricedTraces = Schemas["RepricedTraces"];

/** Maximum number of prices per application. */
export const pricesMax = 500;

export const getModelPrices = () => get("/v0/model-prices");
export const updateModelPrices = (prices: ModelPrice[]) => put("/v0/model-prices", { body: { prices } });
export const repriceTraces = (body: Schemas["RepriceTracesRequest"]) => post("/v0/model-prices/reprice", { body });
