// Exports that work without a database, for simulations.

export { classifyDifference, compare } from "./compare.ts";
export type { TaskResults } from "./task-results.ts";
