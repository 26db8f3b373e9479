// Exports for simulations, without a database.

export { compare, outcomeOf } from "./compare.ts";
export type { TaskResults } from "./task-results.ts";
