export { breakdown, taskMetrics } from "./messages.ts";
export { bucketSumsOfTasks, sumsByDefinition } from "./read-sums.ts";
