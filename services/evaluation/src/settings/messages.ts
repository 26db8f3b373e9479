import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Transaction } from "@ems/kit/db/transaction";
import { rowVersions, versions } from "@ems/kit/db/version";
import { definedFields } from "@ems/kit/patch";
import type { Tenant } from "@ems/kit/tenant";
import type { BudgetSchema, EvaluationSettingsSchema } from "@ems/proto/evaluation/v1/evaluation_settings_service";
import type { GetExecutionSettingsResponse } from "@ems/proto/experiments/v1/execution_service";
import { getEnd, getStart, type Period, SpendingEntity, type SpendingRow } from "../budgets/index.ts";
import { SettingEntity, type SettingRow } from "../setting.ts";

const micro = 1_000_000;

export interface Stored {
  readonly setting: SettingRow | null;
  readonly spending: readonly SpendingRow[];
}

/** Reads the application's row, if there is one, and its spend in the current periods. */
export async function readStored(tx: Transaction, { applicationId }: Tenant, now: Date): Promise<Stored> {
  const findSpending = (period: Period) =>
    tx.findOne(SpendingEntity, { applicationId, period, startsAt: getStart(period, now) });
  const [setting, day, month] = await Promise.all([
    tx.findOne(SettingEntity, { applicationId }),
    findSpending("day"),
    findSpending("month"),
  ]);
  return { setting, spending: [day, month].filter((row) => row !== null) };
}

/** Time of the response, and the share of uncertain spend that counts. */
interface SettingsContext {
  readonly now: Date;
  readonly uncertainShare: number;
}

export type Execution = Omit<GetExecutionSettingsResponse, "$typeName" | "$unknown">;

const rows = rowVersions(SettingEntity);

interface StoredSettings {
  readonly applicationId: string;
  readonly setting: SettingRow | null;
  readonly execution: Pick<Execution, "sampleRate" | "testTimeoutMs" | "kappaFloor">;
}

/** Computes the ETag of the settings: of the part that is stored here, and the part in experiments. */
export const settingsVersions = versions<StoredSettings>(({ applicationId, setting, execution }) => [
  applicationId,
  setting === null ? "" : rows.etag(setting),
  execution.sampleRate,
  execution.testTimeoutMs,
  execution.kappaFloor,
]);

export function settingsMessage(
  { setting, spending }: Stored,
  { sampleRate, testTimeoutMs, kappaFloor, ...retained }: Execution,
  { now, uncertainShare }: SettingsContext,
): MessageInitShape<typeof EvaluationSettingsSchema> {
  const spent = (period: Period) => {
    const row = spending.find((sum) => sum.period === period);
    return {
      money: Number(row?.costMicro ?? 0) / micro,
      tokens: BigInt(row?.tokens ?? 0),
      endsAt: timestampFromDate(getEnd(period, now)),
      uncertainMoney: Number(row?.uncertainCostMicro ?? 0) / micro,
      uncertainTokens: BigInt(row?.uncertainTokens ?? 0),
      estimatedMoney: Number(row?.estimatedCostMicro ?? 0) / micro,
      estimatedTokens: BigInt(row?.estimatedTokens ?? 0),
    };
  };
  const { defaultConnectionId, votes = 1 } = setting ?? {};
  return {
    votes,
    kappaFloor,
    monitoring: { sampleRate },
    budgets: {
      ...budget("day", setting?.dayMoneyMicro, setting?.dayTokens),
      ...budget("month", setting?.monthMoneyMicro, setting?.monthTokens),
    },
    spent: { day: spent("day"), month: spent("month"), uncertainShare },
    ...(defaultConnectionId && { defaultConnectionId }),
    ...(testTimeoutMs !== undefined && { testTimeoutMs }),
    retention: {
      traces: definedFields({ days: retained.tracesDays, since: retained.tracesSince }),
      results: definedFields({ days: retained.resultsDays, since: retained.resultsSince }),
    },
  };
}

function budget(period: Period, money: string | null | undefined, tokens: string | null | undefined) {
  if (money == null && tokens == null) return {};
  const limits: MessageInitShape<typeof BudgetSchema> = {
    ...(money != null && { money: Number(money) / micro }),
    ...(tokens != null && { tokens: BigInt(tokens) }),
  };
  return { [period]: limits };
}

/** Converts US dollars to whole millionths. */
export function toMicro(money: number | undefined): string | null {
  return money === undefined ? null : String(Math.round(money * micro));
}
