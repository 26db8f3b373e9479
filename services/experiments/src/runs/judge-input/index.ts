export { getJudgeInput, readInput } from "./get-judge-input.ts";
export { findTrace, getTraceInput } from "./get-trace-input.ts";
export { truncateMiddle } from "./texts.ts";
