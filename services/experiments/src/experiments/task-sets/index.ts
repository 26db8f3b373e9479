export { freezeTaskSet, readDefinitions } from "./freeze.ts";
export { getExperimentTaskSet } from "./get-experiment-task-set.ts";
export { type DefinitionRow, frozenDefinition, frozenPlans, readFrozenPlan, selectFrozenDefinitions } from "./read.ts";
