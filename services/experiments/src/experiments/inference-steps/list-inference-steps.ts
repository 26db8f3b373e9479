import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { InferenceStepOrderSchema, type InferenceStepService } from "@ems/proto/experiments/v1/inference_step_service";
import type { Deps } from "../../deps.ts";
import { InferenceStepEntity } from "./entity.ts";
import { inferenceStep } from "./messages.ts";

type Handler = Handlers<typeof InferenceStepService>["listInferenceSteps"];

const list = defineList(InferenceStepEntity, { alias: "s", orderBy: InferenceStepOrderSchema });

/** Lists the inference steps of the caller's application. */
export function listInferenceSteps({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request);
    return { data: rows.map(inferenceStep), pagination };
  };
}
