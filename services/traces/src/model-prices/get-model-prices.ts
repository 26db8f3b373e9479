import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import type { Deps } from "../deps.ts";
import { type ModelPriceListRow, modelPriceVersions } from "./entity.ts";
import { modelPrices } from "./messages.ts";

type Handler = Handlers<typeof ModelPriceService>["getModelPrices"];

const text = `SELECT prices, modified_at AS "modifiedAt" FROM traces.model_price_list WHERE application_id = $1`;

export function getModelPrices({ database }: Pick<Deps, "database">): Handler {
  return async (_request, call) => {
    const { applicationId } = call.tenant;
    const statement = { name: "get-model-prices", text, values: [applicationId] };
    const [row] = await database.read<Pick<ModelPriceListRow, "prices" | "modifiedAt">>(call, statement);
    modelPriceVersions.answer(call, { applicationId, row });
    return { data: modelPrices(row) };
  };
}
