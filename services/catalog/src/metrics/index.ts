export { breakdown, taskMetrics } from "./messages.ts";
export { bucketSumsOfTasks, sumsByDefinition } from "./of-tasks.ts";
