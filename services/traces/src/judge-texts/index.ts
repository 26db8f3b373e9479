// Texts from a trace for judges, and for people who create tasks from traces.

export { getJudgeTexts } from "./get-judge-texts.ts";
export { readConversation } from "./read-conversation.ts";
export { type JudgedTrace, readJudgeTexts } from "./read-judge-texts.ts";
export { testTracePaths } from "./test-trace-paths.ts";
