// Budgets: what a call may cost is reserved before it and settled after it, so that what is spent and in flight together never
// exceeds a budget.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Publish } from "@ems/kit/events/publish";
import type { Tenant } from "@ems/kit/tenant";
import { SettingEntity, type SettingRow } from "../setting.ts";
import { InTurn } from "./in-turn.ts";
import { endOf, type Period, periods, startOf } from "./periods.ts";
import { newShares, shareOf } from "./thresholds.ts";

export interface BudgetDeps {
  readonly database: Database;
  readonly publish: Publish;
  readonly clock: Clock;
}

/** What a call took. */
export interface Settled {
  readonly id: string;
  readonly tokens: number;
  readonly costMicro: number;
}

interface Spent {
  readonly period: Period;
  readonly costMicro: string;
  readonly tokens: string;
  readonly moneyNotified: number;
  readonly tokensNotified: number;
}

interface Budget {
  readonly period: Period;
  readonly unit: "money" | "tokens";
  readonly budget: bigint;
}

const statementMs = 10_000;
/** When a call is looked at again that other calls leave no room for. */
const fullWaitMs = 500;

/** Why a call has to wait, and until when. */
export interface Refusal {
  /** The budget is spent; otherwise calls in flight have reserved what is left. */
  readonly isSpent: boolean;
  readonly until: Date;
}

export class Budgets {
  readonly #deps: BudgetDeps;
  /**
   * They would wait for each other's lock, each with a connection: calls that end together would find none. Calls that end come
   * first: what they give back is room for those that begin, which are refused in crowds without it.
   */
  readonly #inTurn = new InTurn();

  constructor(deps: BudgetDeps) {
    this.#deps = deps;
  }

  /** Reserves the call if it fits. Calls of lost processes are charged first. */
  async reserve(tenant: Tenant, setting: SettingRow | null, call: Settled): Promise<Refusal | undefined> {
    if (!hasBudget(setting)) return undefined;
    const now = this.#deps.clock.now();
    return this.#inScope(tenant, async (tx) => {
      lockSpent(tx, tenant, now);
      chargeLost(tx, tenant, now);
      // One round trip: others of the application wait meanwhile.
      const [budgets, spent, open] = await Promise.all([
        presentBudgets(tx, tenant),
        spentOf(tx, tenant, now),
        openCalls(tx, tenant),
      ]);
      const need = { tokens: String(call.tokens), costMicro: String(call.costMicro) };
      const spentUp = budgets.filter((one) => amount(spent, one) + openOf(need, one) > one.budget);
      if (spentUp.length > 0) {
        for (const one of spentUp) await this.#announce(tx, tenant, now, one, spent, 100);
        const until = new Date(Math.max(...spentUp.map(({ period }) => endOf(period, now).getTime())));
        return { isSpent: true, until };
      }
      const isFull = budgets.some((one) => amount(spent, one) + openOf(open, one) + openOf(need, one) > one.budget);
      // What is reserved is more than what calls take: there may be room when they have ended.
      if (isFull) return { isSpent: false, until: new Date(now.getTime() + fullWaitMs) };
      tx.defer("UPDATE evaluation.model_call SET is_reserved = true WHERE application_id = $1 AND id = $2", [
        tenant.applicationId,
        call.id,
      ]);
      return undefined;
    });
  }

  /** Ends the call and adds what it took to its application's sums. */
  async settle(tenant: Tenant, setting: SettingRow | null, { id, tokens, costMicro }: Settled): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#inScope(
      tenant,
      async (tx) => {
        lockSpent(tx, tenant, now);
        chargeLost(tx, tenant, now);
        tx.defer(
          `WITH ended AS (UPDATE evaluation.model_call SET ended_at = clock_timestamp(), tokens = $2, cost_micro = $3
           WHERE application_id = $1 AND id = $4 AND ended_at IS NULL RETURNING tokens, cost_micro)
         ${addTo("ended", "$1", "$5", "$6")}`,
          [tenant.applicationId, tokens, costMicro, id, ...presentPeriods(now)],
        );
        if (!hasBudget(setting)) return;
        const [budgets, spent] = await Promise.all([presentBudgets(tx, tenant), spentOf(tx, tenant, now)]);
        for (const one of budgets) await this.#announce(tx, tenant, now, one, spent);
      },
      { isFirst: true },
    );
  }

  /** Charges what calls of lost processes reserved. */
  async chargeLost(tenant: Tenant): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#inScope(tenant, async (tx) => {
      lockSpent(tx, tenant, now);
      chargeLost(tx, tenant, now);
    });
  }

  /** Publishes the thresholds that are reached and were not announced in this period. */
  async #announce(
    tx: Transaction,
    tenant: Tenant,
    now: Date,
    { period, unit, budget }: Budget,
    spent: readonly Spent[],
    atLeast = 0,
  ): Promise<void> {
    const row = spent.find((one) => one.period === period);
    if (row === undefined) return;
    const used = amount(spent, { period, unit, budget });
    const notified = unit === "money" ? row.moneyNotified : row.tokensNotified;
    const fresh = newShares(notified, Math.max(atLeast, shareOf(used, budget)));
    if (fresh.length === 0) return;
    const column = unit === "money" ? "money_notified" : "tokens_notified";
    tx.defer(
      `UPDATE evaluation.spending SET ${column} = $4 WHERE application_id = $1 AND period = $2 AND starts_at = $3`,
      [tenant.applicationId, period, startOf(period, now), fresh.at(-1)],
    );
    for (const percent of fresh) {
      const endsAt = timestampFromDate(endOf(period, now));
      const value = { period, unit, percent, budget, spent: used, endsAt };
      await this.#deps.publish(tx, tenant, { case: "budgetReached", value });
    }
  }

  #inScope<T>(
    tenant: Tenant,
    work: (tx: Transaction) => Promise<T>,
    order?: { readonly isFirst: boolean },
  ): Promise<T> {
    const inScope = () => this.#deps.database.withScope(tenant, Date.now() + statementMs, work);
    return this.#inTurn.run(tenant.applicationId, inScope, order);
  }
}

/** Read under the lock of what was spent: a budget that changed meanwhile is announced anew, and not by its old amount. */
async function presentBudgets(tx: Transaction, { applicationId }: Tenant): Promise<Budget[]> {
  return budgetsOf(await tx.findOne(SettingEntity, { applicationId }));
}

export function hasBudget(setting: SettingRow | null): boolean {
  return budgetsOf(setting).length > 0;
}

export function hasMoneyBudget(setting: SettingRow | null): boolean {
  return budgetsOf(setting).some(({ unit }) => unit === "money");
}

export function areBudgetsEqual(a: SettingRow | null, b: SettingRow | null): boolean {
  return [...dayColumns, ...monthColumns].every((column) => (a?.[column] ?? null) === (b?.[column] ?? null));
}

/** Budgets that are changed can be reached, and announced, again. */
export function clearAnnounced(tx: Transaction, before: SettingRow | null, after: SettingRow, now: Date): void {
  for (const period of periods) {
    const [money, tokens] = period === "day" ? dayColumns : monthColumns;
    const isChanged = [money, tokens].map((column) => (before?.[column] ?? null) !== after[column]);
    if (!isChanged.includes(true)) continue;
    tx.defer(
      `UPDATE evaluation.spending SET money_notified = CASE WHEN $4 THEN 0 ELSE money_notified END,
         tokens_notified = CASE WHEN $5 THEN 0 ELSE tokens_notified END
       WHERE application_id = $1 AND period = $2 AND starts_at = $3`,
      [after.applicationId, period, startOf(period, now), ...isChanged],
    );
  }
}

const dayColumns = ["dayMoneyMicro", "dayTokens"] as const;
const monthColumns = ["monthMoneyMicro", "monthTokens"] as const;

function budgetsOf(setting: SettingRow | null): Budget[] {
  if (setting === null) return [];
  const all: [Period, Budget["unit"], string | null][] = [
    ["day", "money", setting.dayMoneyMicro],
    ["day", "tokens", setting.dayTokens],
    ["month", "money", setting.monthMoneyMicro],
    ["month", "tokens", setting.monthTokens],
  ];
  return all.flatMap(([period, unit, budget]) => (budget === null ? [] : [{ period, unit, budget: BigInt(budget) }]));
}

function presentPeriods(now: Date) {
  return [[...periods], periods.map((one) => startOf(one, now))] as const;
}

/** Whoever asks afterwards what was spent in the present periods waits. */
function lockSpent(tx: Transaction, { applicationId, orgId }: Tenant, now: Date): void {
  tx.defer(
    `INSERT INTO evaluation.spending AS s (application_id, period, starts_at, org_id)
     SELECT $1, period, starts_at, $2 FROM unnest($3::text[], $4::timestamptz[]) AS p(period, starts_at)
     ON CONFLICT (application_id, period, starts_at) DO UPDATE SET tokens = s.tokens`,
    [applicationId, orgId, ...presentPeriods(now)],
  );
}

function spentOf(tx: Transaction, { applicationId }: Tenant, now: Date): Promise<Spent[]> {
  return tx.query<Spent>(
    `SELECT s.period, cost_micro AS "costMicro", tokens, money_notified AS "moneyNotified", tokens_notified AS "tokensNotified"
     FROM evaluation.spending s JOIN unnest($2::text[], $3::timestamptz[]) AS p(period, starts_at) USING (period, starts_at)
     WHERE application_id = $1`,
    [applicationId, ...presentPeriods(now)],
  );
}

/** Adds calls to the sums of the present periods, which are locked; the calls that were charged before are not among them. */
const addTo = (calls: string, applicationId: string, names: string, starts: string) => `UPDATE evaluation.spending s
  SET cost_micro = s.cost_micro + taken.cost_micro, tokens = s.tokens + taken.tokens
  FROM (SELECT sum(cost_micro) AS cost_micro, sum(tokens) AS tokens FROM ${calls} HAVING count(*) > 0) AS taken,
    unnest(${names}::text[], ${starts}::timestamptz[]) AS p(period, starts_at)
  WHERE s.application_id = ${applicationId} AND s.period = p.period AND s.starts_at = p.starts_at`;

/** Calls whose process is gone count as if they had taken all that was reserved. */
function chargeLost(tx: Transaction, { applicationId }: Tenant, now: Date): void {
  tx.defer(
    `WITH lost AS (UPDATE evaluation.model_call SET ended_at = expires_at
       WHERE application_id = $1 AND is_reserved AND ended_at IS NULL AND expires_at <= clock_timestamp()
       RETURNING tokens, cost_micro)
     ${addTo("lost", "$1", "$2", "$3")}`,
    [applicationId, ...presentPeriods(now)],
  );
}

interface Open {
  readonly tokens: string;
  readonly costMicro: string;
}

async function openCalls(tx: Transaction, tenant: Tenant): Promise<Open | undefined> {
  const [open] = await tx.query<Open>(
    `SELECT coalesce(sum(tokens), 0)::text AS tokens, coalesce(sum(cost_micro), 0)::text AS "costMicro"
     FROM evaluation.model_call WHERE application_id = $1 AND is_reserved AND ended_at IS NULL`,
    [tenant.applicationId],
  );
  return open;
}

function openOf(open: Open | undefined, { unit }: Budget): bigint {
  return BigInt((unit === "money" ? open?.costMicro : open?.tokens) ?? 0);
}

function amount(spent: readonly Spent[], { period, unit }: Budget): bigint {
  const row = spent.find((one) => one.period === period);
  return BigInt((unit === "money" ? row?.costMicro : row?.tokens) ?? 0);
}
