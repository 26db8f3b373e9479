// Sums of steps by day, from which reports answer.

export { type StepChange, type StepFacts, stepFacts } from "./add-up.ts";
export { changeStepDays } from "./change-step-days.ts";
export { foldStepDays } from "./fold.ts";
