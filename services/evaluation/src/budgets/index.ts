export {
  areBudgetsEqual,
  Budgets,
  type Charge,
  clearAnnounced,
  hasBudget,
  hasMoneyBudget,
  type Reservation,
} from "./budgets.ts";
export { startChargingLost } from "./charge-lost.ts";
export { SpendingEntity, type SpendingRow } from "./entity.ts";
export { getEnd, getStart, type Period, periods } from "./periods.ts";
