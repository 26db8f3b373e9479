// What judges, and people who make tasks of traces, read of a trace.

export { type JudgedTrace, readJudgeTexts } from "./read-judge-texts.ts";
export { truncateMiddle } from "./texts.ts";
