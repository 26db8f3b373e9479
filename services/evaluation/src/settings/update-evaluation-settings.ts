import { invalidField } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type {
  EvaluationSettingsService,
  UpdateEvaluationSettingsRequest,
} from "@ems/proto/evaluation/v1/evaluation_settings_service";
import { clearAnnounced } from "../budgets/index.ts";
import type { Deps } from "../deps.ts";
import { resumeJobs } from "../jobs/index.ts";
import { findRow, getCost, lockConnections } from "../model-connections/index.ts";
import type { SettingRow } from "../setting.ts";
import { SettingEntity } from "../setting.ts";
import { readStored, settingsMessage, settingsVersions, toMicro } from "./messages.ts";

type Handler = Handlers<typeof EvaluationSettingsService>["updateEvaluationSettings"];

/**
 * Updates the settings. Sets the part in experiments first; a retry sets it a second time. It is set under the lock:
 * concurrent requests cannot mix their parts, and a request whose If-Match fails changes nothing.
 */
export function updateEvaluationSettings(deps: Deps): Handler {
  const { database, execution, connections, prices, clock, config } = deps;
  return async (request, call) => {
    const { applicationId, orgId } = call.tenant;
    const { monitoring, testTimeoutMs, kappaFloor, defaultConnectionId, votes = 1, budgets } = request;
    const settings = {
      sampleRate: monitoring?.sampleRate ?? 0,
      ...definedFields({ testTimeoutMs, kappaFloor }),
    };
    const check = async () => {
      const found = await connections.find(call.tenant, defaultConnectionId);
      if (defaultConnectionId !== undefined && found?.id !== defaultConnectionId)
        throw invalidField(["default_connection_id"], "Model connection not found");
      if (hasMoney(request) && found !== undefined && found.cost === undefined) throw withoutPrices();
    };
    const findPrice = await prices.of(call.tenant);
    return database.changeAfter(call, check, async (tx) => {
      const now = clock.now();
      lockConnections(tx, applicationId);
      if (hasMoney(request)) {
        // Checked a second time under the lock, because the connection may have been created since.
        const found = await findRow(tx, applicationId, defaultConnectionId);
        if (found !== undefined && getCost(found, findPrice, () => now) === undefined) throw withoutPrices();
      }
      const row: SettingRow = {
        applicationId,
        orgId,
        defaultConnectionId: defaultConnectionId ?? null,
        votes,
        dayMoneyMicro: toMicro(budgets?.day?.money),
        dayTokens: budgets?.day?.tokens?.toString() ?? null,
        monthMoneyMicro: toMicro(budgets?.month?.money),
        monthTokens: budgets?.month?.tokens?.toString() ?? null,
        modifiedAt: now,
      };
      const before = await tx.findOne(SettingEntity, { applicationId }, { lock: "UPDATE" });
      if (call.ifMatch !== undefined) {
        const present = await execution.getExecutionSettings({}, forward(call));
        settingsVersions.check(call, { applicationId, setting: before, execution: present });
      }
      await execution.setExecutionSettings(settings, forward(call));
      const executed = await execution.getExecutionSettings({}, forward(call));
      await tx.insert(SettingEntity, row, { key: ["applicationId"], update: settable });
      clearAnnounced(tx, before, row, now);
      for (const waitingFor of ["budget", "model_connection"] as const) resumeJobs(tx, applicationId, waitingFor, now);
      settingsVersions.answer(call, { applicationId, setting: row, execution: executed });
      const context = { now, uncertainShare: config.BUDGET_UNCERTAIN_SHARE };
      return { data: settingsMessage(await readStored(tx, call.tenant, now), executed, context) };
    });
  };
}

const settable = [
  "defaultConnectionId",
  "votes",
  "dayMoneyMicro",
  "dayTokens",
  "monthMoneyMicro",
  "monthTokens",
  "modifiedAt",
] as const;

const withoutPrices = () =>
  invalidField(["budgets"], "a budget in money requires that the model connection has prices");

function hasMoney({ budgets }: UpdateEvaluationSettingsRequest): boolean {
  return budgets?.day?.money !== undefined || budgets?.month?.money !== undefined;
}
