export { getJudgeInput } from "./get-judge-input.ts";
