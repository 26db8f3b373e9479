export { areBudgetsEqual, Budgets, clearAnnounced, hasMoneyBudget, type Settled } from "./budgets.ts";
export { SpendingEntity, type SpendingRow } from "./entity.ts";
export { endOf, type Period, periods, startOf } from "./periods.ts";
