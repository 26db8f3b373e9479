import { violatesUnique } from "@ems/kit/db/errors";
import { enumName } from "@ems/kit/enum";
import { conflict } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { type InferenceStepService, InferenceStepTypeSchema } from "@ems/proto/experiments/v1/inference_step_service";
import type { Deps } from "../../deps.ts";
import { InferenceStepEntity, type InferenceStepRow } from "./entity.ts";
import { inferenceStep } from "./messages.ts";

type Handler = Handlers<typeof InferenceStepService>["createInferenceStep"];

/** Creates an inference step in the caller's application. */
export function createInferenceStep({ database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">): Handler {
  return async ({ title, description, type, externalId }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: InferenceStepRow = {
      applicationId,
      id: newId(),
      orgId,
      type: enumName(InferenceStepTypeSchema, type),
      externalId: externalId ?? null,
      title,
      description: description ?? "",
      createdAt: now,
      modifiedAt: now,
    };
    try {
      return await database.change(call, async (tx) => {
        await tx.insert(InferenceStepEntity, row);
        return { data: inferenceStep(row) };
      });
    } catch (error) {
      if (!violatesUnique(error, "inference_step_external_id_key")) throw error;
      throw conflict("An inference step with this externalId exists");
    }
  };
}
