export { evaluation, outcome, type ReadEvaluation } from "./messages.ts";
export { evaluationColumns } from "./queries.ts";
