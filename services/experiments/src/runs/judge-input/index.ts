export { getJudgeInput } from "./get-judge-input.ts";
export { getTraceInput } from "./get-trace-input.ts";
