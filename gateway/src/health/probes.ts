// Health probes: a small read of each service, and findings from its response.

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import {
  type Budget,
  type Budgets,
  type EvaluationSettings,
  EvaluationSettingsService,
  type PeriodSpent,
} from "@ems/proto/evaluation/v1/evaluation_settings_service";
import { type ModelConnection, ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import { DeliveryService, DeliveryStatus } from "@ems/proto/notifications/v1/delivery_service";
import { ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { type Finding, failure, warning } from "./finding.ts";

/** Calls an RPC on the caller's behalf. */
export type CallService = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
) => Promise<MessageShape<O>>;

export interface Probe {
  /** Name of the service. */
  readonly name: string;
  /** Returns findings that need action. Rejects while the service does not respond. */
  run(callService: CallService, nowMs: number): Promise<Finding[]>;
}

const dayMs = 86_400_000;
/** Used share of a budget at which a warning is reported. */
const budgetWarnShare = 0.8;

/** Creates a probe that only checks that the service responds. */
function answers<I extends DescMessage, O extends DescMessage>(
  name: string,
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
): Probe {
  return {
    name,
    async run(callService) {
      await callService(method, input);
      return [];
    },
  };
}

export const probes: readonly Probe[] = [
  answers("identity", AppConfigService.method.getAppConfig, {}),
  answers("catalog", TagService.method.listTags, { limit: 1 }),
  answers("traces", IngestSettingsService.method.getIngestSettings, {}),
  answers("experiments", RunService.method.listRuns, { limit: 1 }),
  {
    name: "evaluation",
    async run(callService) {
      const [connections, settings] = await Promise.all([
        callService(ModelConnectionService.method.listModelConnections, {}),
        callService(EvaluationSettingsService.method.getEvaluationSettings, {}),
      ]);
      return [...connections.data.flatMap(checkConnection), ...checkBudgets(settings.data)];
    },
  },
  answers("reporting", ReportingService.method.getDatasourceColumns, { id: "test" }),
  {
    name: "notifications",
    async run(callService, nowMs) {
      const failed = { status: [DeliveryStatus.FAILED], startDate: timestampFromMs(nowMs - dayMs), limit: 1 };
      const { pagination } = await callService(DeliveryService.method.listDeliveries, failed);
      return checkDeliveries(Number(pagination?.total ?? 0));
    },
  },
];

function checkConnection({ name, pausedAt, pauseReason }: ModelConnection): Finding[] {
  if (pausedAt === undefined) return [];
  const advice = "Correct the connection, then test it: POST /v0/model-connections/{id}/test ends the pause.";
  return [failure("models", `${name} is paused: ${pauseReason ?? "its calls kept failing"}.`, advice)];
}

const periods = [
  { period: "day", words: "today" },
  { period: "month", words: "this month" },
] as const;

export function checkBudgets({ budgets, spent }: Pick<EvaluationSettings, "budgets" | "spent"> = {}): Finding[] {
  return periods.flatMap(({ period, words }) => {
    const share = shareSpent(budgets, spent, period);
    if (share < budgetWarnShare) return [];
    const detail = `${Math.floor(share * 100)} % of the budget of the ${period} is spent ${words}.`;
    const advice =
      "Evaluation stops when the budget is used up: raise it with PUT /v0/evaluation-settings, or wait for the next period.";
    return [(share < 1 ? warning : failure)("budgets", detail, advice)];
  });
}

function shareSpent(budgets: Budgets | undefined, spent: EvaluationSettings["spent"], period: "day" | "month"): number {
  const [budget, sums]: [Budget | undefined, PeriodSpent | undefined] = [budgets?.[period], spent?.[period]];
  if (budget === undefined || sums === undefined) return 0;
  const getShare = (limit: number | bigint | undefined, certain: number | bigint, uncertain: number | bigint) => {
    if (limit === undefined) return 0;
    const counted = Number(certain) + (spent?.uncertainShare ?? 1) * Number(uncertain);
    return Number(limit) === 0 ? 1 : counted / Number(limit);
  };
  const money = getShare(budget.money, sums.money, sums.uncertainMoney);
  return Math.max(money, getShare(budget.tokens, sums.tokens, sums.uncertainTokens));
}

function checkDeliveries(failed: number): Finding[] {
  if (failed === 0) return [];
  const what = failed === 1 ? "One delivery" : `${failed} deliveries`;
  const advice = "GET /v0/webhook/deliveries?status=FAILED lists the reasons; POST /v0/webhook/recover resends them.";
  return [warning("deliveries", `${what} of the last 24 hours failed.`, advice)];
}
