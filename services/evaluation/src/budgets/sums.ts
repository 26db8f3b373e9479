// Sums of an application's spend in its current periods, and its calls in progress.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import { getStart, type Period, periods } from "./periods.ts";

export interface Spent {
  readonly period: Period;
  readonly costMicro: string;
  readonly tokens: string;
  readonly uncertainCostMicro: string;
  readonly uncertainTokens: string;
  readonly moneyNotified: number;
  readonly tokensNotified: number;
}

export interface Budget {
  readonly period: Period;
  readonly unit: "money" | "tokens";
  readonly budget: bigint;
}

export function presentPeriods(now: Date) {
  return [[...periods], periods.map((period) => getStart(period, now))] as const;
}

/** Locks the spend of the current periods until commit. */
export function lockSpent(tx: Transaction, { applicationId, orgId }: Tenant, now: Date): void {
  tx.defer(
    `INSERT INTO evaluation.spending AS s (application_id, period, starts_at, org_id)
     SELECT $1, period, starts_at, $2 FROM unnest($3::text[], $4::timestamptz[]) AS p(period, starts_at)
     ON CONFLICT (application_id, period, starts_at) DO UPDATE SET tokens = s.tokens`,
    [applicationId, orgId, ...presentPeriods(now)],
  );
}

export function readSpent(tx: Transaction, { applicationId }: Tenant, now: Date): Promise<Spent[]> {
  return tx.query<Spent>(
    `SELECT s.period, cost_micro AS "costMicro", tokens, uncertain_cost_micro AS "uncertainCostMicro",
       uncertain_tokens AS "uncertainTokens", money_notified AS "moneyNotified", tokens_notified AS "tokensNotified"
     FROM evaluation.spending s JOIN unnest($2::text[], $3::timestamptz[]) AS p(period, starts_at) USING (period, starts_at)
     WHERE application_id = $1`,
    [applicationId, ...presentPeriods(now)],
  );
}

/** Maps each column of the sums to the column of the calls that is added to it. */
type Sums = Readonly<Record<string, string>>;

/** Columns for certain spend, which includes estimated spend. */
export const certainSums: Sums = {
  cost_micro: "cost_micro",
  tokens: "tokens",
  estimated_cost_micro: "estimated_cost_micro",
  estimated_tokens: "estimated_tokens",
};
export const uncertainSums: Sums = { uncertain_cost_micro: "cost_micro", uncertain_tokens: "tokens" };

/**
 * Builds the statement that adds calls to the sums of the current periods. The sums must be locked, and `calls` must
 * not contain calls that were already charged.
 */
export const addTo = (
  sums: Sums,
  calls: string,
  applicationId: string,
  names: string,
  starts: string,
) => `UPDATE evaluation.spending s
  SET ${Object.keys(sums)
    .map((sum) => `${sum} = s.${sum} + taken.${sum}`)
    .join(", ")}
  FROM (SELECT ${Object.entries(sums)
    .map(([sum, column]) => `sum(${column}) AS ${sum}`)
    .join(", ")} FROM ${calls} HAVING count(*) > 0) AS taken,
    unnest(${names}::text[], ${starts}::timestamptz[]) AS p(period, starts_at)
  WHERE s.application_id = ${applicationId} AND s.period = p.period AND s.starts_at = p.starts_at`;

/** Charges calls of processes that died as uncertain, because they may have used all that they reserved. */
export function chargeLost(tx: Transaction, { applicationId }: Tenant, now: Date): void {
  tx.defer(
    `WITH lost AS (UPDATE evaluation.model_call SET ended_at = expires_at
       WHERE application_id = $1 AND is_reserved AND ended_at IS NULL AND expires_at <= clock_timestamp()
       RETURNING tokens, cost_micro)
     ${addTo(uncertainSums, "lost", "$1", "$2", "$3")}`,
    [applicationId, ...presentPeriods(now)],
  );
}

interface Open {
  readonly tokens: string;
  readonly costMicro: string;
}

export async function openCalls(tx: Transaction, tenant: Tenant): Promise<Open | undefined> {
  const [open] = await tx.query<Open>(
    `SELECT coalesce(sum(tokens), 0)::text AS tokens, coalesce(sum(cost_micro), 0)::text AS "costMicro"
     FROM evaluation.model_call WHERE application_id = $1 AND is_reserved AND ended_at IS NULL`,
    [tenant.applicationId],
  );
  return open;
}

export function openAmount(open: Open | undefined, { unit }: Budget): bigint {
  return BigInt((unit === "money" ? open?.costMicro : open?.tokens) ?? 0);
}

export function amount(spent: readonly Spent[], { period, unit }: Budget): bigint {
  const row = spent.find((sum) => sum.period === period);
  return BigInt((unit === "money" ? row?.costMicro : row?.tokens) ?? 0);
}

export function uncertainAmount(spent: readonly Spent[], { period, unit }: Budget): bigint {
  const row = spent.find((sum) => sum.period === period);
  return BigInt((unit === "money" ? row?.uncertainCostMicro : row?.uncertainTokens) ?? 0);
}
