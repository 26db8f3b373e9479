export type { Assertion, Expectation, Verdict } from "./assertion.ts";
export { checkAssertion } from "./check-assertion.ts";
export { createFold, fold, foldInside, type TextSettings } from "./fold.ts";
export { fencedTexts, type Json, readJson, readJsonItems } from "./json-text.ts";
export {
  checkPattern,
  type Extract,
  type Extracted,
  extractFolded,
  findAsciiClasses,
} from "./patterns/index.ts";
export { findSchemaFault } from "./schemas/find-violation.ts";
export { explainDifference, explainDifferences, quote } from "./show.ts";
export { findContained } from "./text-search/contained-values.ts";
export { contains } from "./text-search/contains.ts";
