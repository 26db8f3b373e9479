// Exports for simulations, without a database.

export { classifyDifference, compare } from "./compare.ts";
export type { TaskResults } from "./task-results.ts";
