import { lockVersion } from "@ems/kit/db/version";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import type { Deps } from "../deps.ts";
import { ModelPriceListEntity, type ModelPriceListRow, modelPriceVersions } from "./entity.ts";
import { modelPrices, storedPrices } from "./messages.ts";

type Handler = Handlers<typeof ModelPriceService>["updateModelPrices"];

export function updateModelPrices({ database, clock, prices }: Pick<Deps, "database" | "clock" | "prices">): Handler {
  return async (request, call) => {
    const { applicationId, orgId } = call.tenant;
    const stored = storedPrices(request.prices);
    const answer = await database.change(call, async (tx) => {
      lockVersion(tx, "model_price_list", applicationId);
      if (call.ifMatch !== undefined) {
        const before = await tx.findOne(ModelPriceListEntity, { applicationId });
        modelPriceVersions.check(call, { applicationId, row: before });
      }
      const row: ModelPriceListRow = { applicationId, orgId, prices: stored, modifiedAt: clock.now() };
      await tx.insert(ModelPriceListEntity, row, { key: ["applicationId"], update: ["prices", "modifiedAt"] });
      modelPriceVersions.answer(call, { applicationId, row });
      return { data: modelPrices(row) };
    });
    prices.forget(applicationId);
    return answer;
  };
}
