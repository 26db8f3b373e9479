// What judges, and people who make tasks of traces, read of a trace.

export { getJudgeTexts } from "./get-judge-texts.ts";
export { type JudgedTrace, readJudgeTexts } from "./read-judge-texts.ts";
