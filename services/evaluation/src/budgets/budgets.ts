// Budgets: before a call, its maximum cost is reserved; after it, its real cost is charged. Certain spend, the counted
// share of uncertain spend, and calls in progress together never exceed a budget.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Clock, monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Publish } from "@ems/kit/events/publish";
import type { Tenant } from "@ems/kit/tenant";
import { SettingEntity, type SettingRow } from "../setting.ts";
import { InTurn } from "./in-turn.ts";
import { getEnd, getStart, type Period, periods } from "./periods.ts";
import {
  addTo,
  amount,
  type Budget,
  certainSums,
  chargeLost,
  lockSpent,
  openAmount,
  openCalls,
  presentPeriods,
  readSpent,
  type Spent,
  uncertainAmount,
  uncertainSums,
} from "./sums.ts";
import { countedShare, getShare, newShares } from "./thresholds.ts";

export interface BudgetDeps {
  readonly database: Database;
  readonly publish: Publish;
  readonly clock: Clock;
  /** Share of uncertain spend that counts towards budgets, from 0 to 1. */
  readonly uncertainShare: number;
}

/** Maximum usage of a call, reserved before it begins. */
export interface Reservation {
  readonly id: string;
  readonly tokens: number;
  readonly costMicro: number;
}

/** Usage of a call that ended, or its maximum if the usage is uncertain. */
export interface Charge extends Reservation {
  /** True if the request was sent and the provider did not answer. */
  readonly isUncertain: boolean;
  /** The part of the usage that is estimated from texts, because the provider reported no usable usage. */
  readonly estimated?: Omit<Reservation, "id">;
}

const none = { tokens: 0, costMicro: 0 };
const statementMs = 10_000;
/** Delay before the next attempt to reserve, if other calls leave no room. */
const fullWaitMs = 500;

/** Reason why a call must wait, and the time until when it waits. */
export interface Refusal {
  /** True if the budget is spent; false if calls in progress have reserved the rest. */
  readonly isSpent: boolean;
  readonly until: Date;
}

export class Budgets {
  readonly #deps: BudgetDeps;
  /**
   * Runs transactions of one application in turn: otherwise each call waiting for the lock would hold a connection, and
   * many calls could exhaust the pool. Calls that end go first, as they free reservations that others need.
   */
  readonly #inTurn = new InTurn();

  constructor(deps: BudgetDeps) {
    this.#deps = deps;
  }

  /** Reserves the call if budgets have room for it. First charges calls of processes that died. */
  async reserve(tenant: Tenant, setting: SettingRow | null, call: Reservation): Promise<Refusal | undefined> {
    if (!hasBudget(setting)) return undefined;
    const now = this.#deps.clock.now();
    return this.#inScope(tenant, async (tx) => {
      lockSpent(tx, tenant, now);
      chargeLost(tx, tenant, now);
      // All in one round trip, because other calls of the application wait for the lock.
      const [budgets, spent, open] = await Promise.all([
        presentBudgets(tx, tenant),
        readSpent(tx, tenant, now),
        openCalls(tx, tenant),
      ]);
      const need = { tokens: String(call.tokens), costMicro: String(call.costMicro) };
      const spentUp = budgets.filter((budget) => this.#used(spent, budget) + openAmount(need, budget) > budget.budget);
      if (spentUp.length > 0) {
        for (const budget of spentUp) await this.#announce(tx, tenant, now, budget, spent, 100);
        const until = new Date(Math.max(...spentUp.map(({ period }) => getEnd(period, now).getTime())));
        return { isSpent: true, until };
      }
      const isFull = budgets.some(
        (budget) => this.#used(spent, budget) + openAmount(open, budget) + openAmount(need, budget) > budget.budget,
      );
      // Reservations exceed real usage, so there may be room when the calls in progress end.
      if (isFull) return { isSpent: false, until: new Date(now.getTime() + fullWaitMs) };
      tx.defer("UPDATE evaluation.model_call SET is_reserved = true WHERE application_id = $1 AND id = $2", [
        tenant.applicationId,
        call.id,
      ]);
      return undefined;
    });
  }

  /** Ends the call and adds its usage to the application's sums. */
  async complete(tenant: Tenant, setting: SettingRow | null, settlement: Charge): Promise<void> {
    const now = this.#deps.clock.now();
    const { id, tokens, costMicro, isUncertain, estimated = none } = settlement;
    const [applicationId, present] = [tenant.applicationId, presentPeriods(now)];
    await this.#inScope(
      tenant,
      async (tx) => {
        lockSpent(tx, tenant, now);
        chargeLost(tx, tenant, now);
        tx.defer(
          `WITH ended AS (UPDATE evaluation.model_call
             SET ended_at = clock_timestamp(), tokens = $2, cost_micro = $3, estimated_tokens = $7
             WHERE application_id = $1 AND id = $4 AND ended_at IS NULL
             RETURNING tokens, cost_micro, estimated_tokens, $8::bigint AS estimated_cost_micro)
           ${addTo(isUncertain ? uncertainSums : certainSums, "ended", "$1", "$5", "$6")}`,
          [applicationId, tokens, costMicro, id, ...present, estimated.tokens, estimated.costMicro],
        );
        if (!hasBudget(setting)) return;
        const [budgets, spent] = await Promise.all([presentBudgets(tx, tenant), readSpent(tx, tenant, now)]);
        for (const budget of budgets) await this.#announce(tx, tenant, now, budget, spent);
      },
      { isFirst: true },
    );
  }

  /** Charges the reserved usage for calls whose processes died. */
  async chargeLost(tenant: Tenant): Promise<void> {
    const now = this.#deps.clock.now();
    await this.#inScope(tenant, async (tx) => {
      lockSpent(tx, tenant, now);
      chargeLost(tx, tenant, now);
    });
  }

  /** Publishes the budget thresholds that are reached and were not yet announced in this period. */
  async #announce(
    tx: Transaction,
    tenant: Tenant,
    now: Date,
    { period, unit, budget }: Budget,
    spent: readonly Spent[],
    atLeast = 0,
  ): Promise<void> {
    const row = spent.find((sum) => sum.period === period);
    if (row === undefined) return;
    const used = this.#used(spent, { period, unit, budget });
    const uncertain = this.#uncertain(spent, { period, unit, budget });
    const notified = unit === "money" ? row.moneyNotified : row.tokensNotified;
    const fresh = newShares(notified, Math.max(atLeast, getShare(used, budget)));
    if (fresh.length === 0) return;
    const column = unit === "money" ? "money_notified" : "tokens_notified";
    tx.defer(
      `UPDATE evaluation.spending SET ${column} = $4 WHERE application_id = $1 AND period = $2 AND starts_at = $3`,
      [tenant.applicationId, period, getStart(period, now), fresh.at(-1)],
    );
    for (const percent of fresh) {
      const endsAt = timestampFromDate(getEnd(period, now));
      const value = { period, unit, percent, budget, spent: used, uncertain, endsAt };
      await this.#deps.publish(tx, tenant, { case: "budgetReached", value });
    }
  }

  /** Returns the spend that counts towards the budget. */
  #used(spent: readonly Spent[], budget: Budget): bigint {
    return amount(spent, budget) + this.#uncertain(spent, budget);
  }

  #uncertain(spent: readonly Spent[], budget: Budget): bigint {
    return countedShare(uncertainAmount(spent, budget), this.#deps.uncertainShare);
  }

  #inScope<T>(
    tenant: Tenant,
    work: (tx: Transaction) => Promise<T>,
    order?: { readonly isFirst: boolean },
  ): Promise<T> {
    const inScope = () => this.#deps.database.withScope(tenant, monotonicMs() + statementMs, work);
    return this.#inTurn.run(tenant.applicationId, inScope, order);
  }
}

/** Reads the budgets while the spend is locked, so that a budget that just changed is announced with its new amount. */
async function presentBudgets(tx: Transaction, { applicationId }: Tenant): Promise<Budget[]> {
  return listBudgets(await tx.findOne(SettingEntity, { applicationId }));
}

export function hasBudget(setting: SettingRow | null): boolean {
  return listBudgets(setting).length > 0;
}

export function hasMoneyBudget(setting: SettingRow | null): boolean {
  return listBudgets(setting).some(({ unit }) => unit === "money");
}

export function areBudgetsEqual(a: SettingRow | null, b: SettingRow | null): boolean {
  return [...dayColumns, ...monthColumns].every((column) => (a?.[column] ?? null) === (b?.[column] ?? null));
}

/** Clears the announcements of changed budgets, so that their thresholds can be announced a second time. */
export function clearAnnounced(tx: Transaction, before: SettingRow | null, after: SettingRow, now: Date): void {
  for (const period of periods) {
    const [money, tokens] = period === "day" ? dayColumns : monthColumns;
    const isChanged = [money, tokens].map((column) => (before?.[column] ?? null) !== after[column]);
    if (!isChanged.includes(true)) continue;
    tx.defer(
      `UPDATE evaluation.spending SET money_notified = CASE WHEN $4 THEN 0 ELSE money_notified END,
         tokens_notified = CASE WHEN $5 THEN 0 ELSE tokens_notified END
       WHERE application_id = $1 AND period = $2 AND starts_at = $3`,
      [after.applicationId, period, getStart(period, now), ...isChanged],
    );
  }
}

const dayColumns = ["dayMoneyMicro", "dayTokens"] as const;
const monthColumns = ["monthMoneyMicro", "monthTokens"] as const;

function listBudgets(setting: SettingRow | null): Budget[] {
  if (setting === null) return [];
  const all: [Period, Budget["unit"], string | null][] = [
    ["day", "money", setting.dayMoneyMicro],
    ["day", "tokens", setting.dayTokens],
    ["month", "money", setting.monthMoneyMicro],
    ["month", "tokens", setting.monthTokens],
  ];
  return all.flatMap(([period, unit, budget]) => (budget === null ? [] : [{ period, unit, budget: BigInt(budget) }]));
}
