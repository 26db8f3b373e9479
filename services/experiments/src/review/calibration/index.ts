import { type Mount, mount } from "@ems/kit/rpc/service";
import { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
import type { Deps } from "../../deps.ts";
import { getCalibration } from "./get-calibration.ts";
import { queueCalibrationTraces } from "./queue-calibration-traces.ts";

export { markDefinition, markResults } from "./mark.ts";
export { startCalibrations } from "./store-calibrations.ts";

export const calibration = (deps: Deps): Mount =>
  mount(CalibrationService, {
    getCalibration: getCalibration(deps),
    queueCalibrationTraces: queueCalibrationTraces(deps),
  });
