import { type Mount, mount } from "@ems/kit/rpc/service";
import { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import type { Deps } from "../deps.ts";
import { getModelPrices } from "./get-model-prices.ts";
import { repriceTraces } from "./reprice-traces.ts";
import { updateModelPrices } from "./update-model-prices.ts";

export { ModelPriceListEntity } from "./entity.ts";
export { Prices } from "./prices.ts";

export const modelPrices = (deps: Deps): Mount =>
  mount(ModelPriceService, {
    getModelPrices: getModelPrices(deps),
    updateModelPrices: updateModelPrices(deps),
    repriceTraces: repriceTraces(deps),
  });
