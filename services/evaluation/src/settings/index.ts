import { type Mount, mount } from "@ems/kit/rpc/service";
import { EvaluationSettingsService } from "@ems/proto/evaluation/v1/evaluation_settings_service";
import type { Deps } from "../deps.ts";
import { getEvaluationSettings } from "./get-evaluation-settings.ts";
import { updateEvaluationSettings } from "./update-evaluation-settings.ts";

export const evaluationSettings = (deps: Deps): Mount =>
  mount(EvaluationSettingsService, {
    getEvaluationSettings: getEvaluationSettings(deps),
    updateEvaluationSettings: updateEvaluationSettings(deps),
  });
