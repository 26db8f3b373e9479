export { type ExampleRow, readExamples } from "./examples.ts";
export { reviewedCriterion } from "./messages.ts";
export { findScoreFault } from "./review-scale.ts";
