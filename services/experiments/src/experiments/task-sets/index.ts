export { freezeTaskSet, readDefinitions } from "./freeze.ts";
export { getExperimentTaskSet } from "./get-experiment-task-set.ts";
export { type DefinitionRow, frozenDefinition, frozenDefinitionsOf, frozenPlanOf, frozenPlans } from "./read.ts";
