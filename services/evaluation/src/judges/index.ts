import { judgeCustom } from "./custom/judge.ts";
import { judgeFact } from "./fact/judge.ts";
import type { Judge, JudgeType } from "./judge.ts";
import { judgeNaturalness } from "./naturalness/judge.ts";
import { judgeOutputMatch } from "./output-match/judge.ts";
import { judgeRecall } from "./recall/judge.ts";
import { judgeStyle } from "./style/judge.ts";

export {
  answerDocumentQuestion,
  type DocumentFinding,
  type DocumentQuestion,
} from "./documents/answer-document-question.ts";
export { judgeInput } from "./from-messages.ts";
export * from "./judge.ts";
export { requestReply } from "./request-reply.ts";

const judges: Readonly<Record<JudgeType, Judge>> = {
  CUSTOM: judgeCustom,
  FACT: judgeFact,
  NATURALNESS: judgeNaturalness,
  OUTPUT_MATCH: judgeOutputMatch,
  RECALL: judgeRecall,
  STYLE: judgeStyle,
};

/**
 * Calls the judge for the type of the definition. An empty output cannot be judged, except by OUTPUT_MATCH, which may
 * expect an empty output.
 */
export const judge: Judge = (input, deps) => {
  const { type } = input.definition;
  const isEmpty = type !== "OUTPUT_MATCH" && input.output?.trim() === "";
  return judges[type](isEmpty ? { ...input, output: undefined } : input, deps);
};
