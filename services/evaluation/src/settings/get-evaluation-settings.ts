import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { EvaluationSettingsService } from "@ems/proto/evaluation/v1/evaluation_settings_service";
import type { Deps } from "../deps.ts";
import { readStored, settingsMessage, settingsVersions } from "./messages.ts";

type Handler = Handlers<typeof EvaluationSettingsService>["getEvaluationSettings"];

export function getEvaluationSettings({ database, execution, clock, config }: Deps): Handler {
  return async (_, call) => {
    const now = clock.now();
    const [stored, settings] = await Promise.all([
      database.withTenant(call, (tx) => readStored(tx, call.tenant, now)),
      execution.getExecutionSettings({}, forward(call)),
    ]);
    const { applicationId } = call.tenant;
    settingsVersions.answer(call, { applicationId, setting: stored.setting, execution: settings });
    return { data: settingsMessage(stored, settings, { now, uncertainShare: config.BUDGET_UNCERTAIN_SHARE }) };
  };
}
