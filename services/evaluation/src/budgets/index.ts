export { Budgets, type Settled } from "./budgets.ts";
export { endOf, type Period, periods, startOf } from "./periods.ts";
