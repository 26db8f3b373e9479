// What simulations judge.

export { compare, outcomeOf } from "./compare.ts";
export type { TaskResults } from "./task-results.ts";
