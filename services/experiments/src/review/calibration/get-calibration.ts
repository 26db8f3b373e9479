import { enumName } from "@ems/kit/enum";
import { buildMessage } from "@ems/kit/message";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
import { ComparedDefinitionSchema } from "@ems/proto/experiments/v1/comparison";
import { calibrationVersionsMax } from "@ems/proto/limits";
import type { Deps } from "../../deps.ts";
import { judgeQuality, traceToAnnotate } from "./messages.ts";
import { readCalibration } from "./read-calibration.ts";
import { requireDefinition } from "./require-definition.ts";

type Handler = Handlers<typeof CalibrationService>["getCalibration"];

const nextDefault = 10;

/**
 * Returns the calibration of a definition's judge: one round trip to the calibration's tables, one to the traces, and
 * one call to catalog.
 */
export function getCalibration(deps: Pick<Deps, "stores" | "clock" | "references">): Handler {
  return async ({ nextLimit = nextDefault, ...request }, call) => {
    // Sequential, so that a request with two errors always gets the same one.
    const { id, name, type, calibration = null } = await requireDefinition(deps.references, call, request.id);
    const { judges, next, ...setting } = await readCalibration(deps, call, request, nextLimit);
    const { kappaFloor = setting.kappaFloor } = request;
    const versions = judges.slice(0, calibrationVersionsMax).map((judge) => judgeQuality(judge, kappaFloor));
    return {
      data: {
        definition: buildMessage(ComparedDefinitionSchema, {
          id,
          name,
          type: enumName(EvalDefinitionTypeSchema, type),
          calibration,
        }),
        judge: judgeQuality(judges[0], kappaFloor),
        versions,
        next: next.map(traceToAnnotate),
      },
    };
  };
}
