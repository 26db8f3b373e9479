export { getJudgeInput } from "./get-judge-input.ts";
export { getTraceInput, readTraceInput } from "./get-trace-input.ts";
