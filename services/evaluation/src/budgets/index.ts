export {
  areBudgetsEqual,
  Budgets,
  clearAnnounced,
  hasBudget,
  hasMoneyBudget,
  type Reservation,
  type Settlement,
} from "./budgets.ts";
export { startChargingLost } from "./charge-lost.ts";
export { SpendingEntity, type SpendingRow } from "./entity.ts";
export { endOf, type Period, periods, startOf } from "./periods.ts";
