import { collectReplies } from "../collect-replies.ts";
import { createQuoteFinder, type FindQuote, standing } from "../evidence.ts";
import type { Judge } from "../judge.ts";
import { medianBy } from "../median.ts";
import { completed, failed, instructions, noModelConnection, noOutput } from "../model-judge.ts";
import { blockCharsMax, cutBlock } from "../truncate.ts";
import { type RecallAnswer, recallAnswer } from "./answer.ts";
import { prompt, version } from "./prompt.ts";
import { recallResults } from "./results.ts";
import { type RecallScores, recallScore, recallScores } from "./score.ts";

const system = instructions(prompt);

/** Maximum number of judged passages; the result says how many more were retrieved. */
const passagesMax = 100;

/** Compares the retrieved passages with the answer, and computes four scores. */
export const judgeRecall: Judge = async ({ question, output, context, hasRetriever, votes }, deps) => {
  if (output === undefined) return noOutput(version);
  if (!hasRetriever) return failed(version, "no_context: The trace has no retriever step");
  if (deps.model === undefined) return noModelConnection(version);
  const passages = context.slice(0, passagesMax);
  const passageChars = Math.floor(blockCharsMax / Math.max(passages.length, 1));
  const cuts = [
    cutBlock("QUESTION", question),
    cutBlock("ANSWER", output),
    ...passages.map((passage, at) => cutBlock(`PASSAGE ${at + 1}`, passage, passageChars)),
  ];
  const findInAnswer = createQuoteFinder(output);
  const findInPassages = passages.map((passage) => createQuoteFinder(passage, passageChars));
  const answers = await collectReplies(
    {
      system,
      blocks: cuts.map(({ block }) => block),
      schema: recallAnswer(passages.length),
      votes,
      accept: (answer) => evident(answer, findInAnswer, findInPassages),
    },
    deps.model,
    deps,
  );
  if (!answers.ok) return failed(version, answers.message);
  const { replies } = answers;
  const getMedian = (part: keyof RecallScores) => medianBy(replies, ({ scores }) => scores[part]);
  const reported = {
    contextRelevancy: getMedian("contextRelevancy"),
    contextPrecision: getMedian("contextPrecision"),
    faithfulness: getMedian("faithfulness"),
    answerRelevancy: getMedian("answerRelevancy"),
  };
  const scores = {
    contextRelevancy: reported.contextRelevancy.scores.contextRelevancy,
    contextPrecision: reported.contextPrecision.scores.contextPrecision,
    faithfulness: reported.faithfulness.scores.faithfulness,
    answerRelevancy: reported.answerRelevancy.scores.answerRelevancy,
  };
  return completed(version, {
    ...recallScore(scores),
    results: recallResults(scores, {
      contextRelevancy: reported.contextRelevancy.answer,
      contextPrecision: reported.contextPrecision.answer,
      faithfulness: reported.faithfulness.answer,
    }),
    details: {
      evidence: reported.faithfulness.answer.claims.map(({ statement, quote }) => ({ claim: statement, quote })),
      answerStatements: reported.answerRelevancy.answer.answerStatements,
      passages: reported.contextPrecision.answer.passages,
      dropped: replies.flatMap(({ dropped }) => dropped),
      votes: votes > 1 ? replies.map((reply) => ({ ...reply.scores })) : [],
      truncated: cuts.filter(({ isCut }) => isCut).map(({ block }) => block.name),
      passagesLeftOut: context.length > passages.length ? context.length - passages.length : null,
    },
  });
};

/** Returns the answer with valid evidence; undefined if one of its lists has quotes and none is valid. */
function evident(answer: RecallAnswer, findInAnswer: FindQuote, findInPassages: readonly FindQuote[]) {
  const claims = standing(answer.claims, findInAnswer);
  const answerStatements = standing(answer.answerStatements, findInAnswer);
  const inPassages = answer.contextStatements.map((statement) =>
    standing([statement], (quote) => findInPassages[statement.passage - 1]?.(quote)),
  );
  const contextStatements = inPassages.flatMap((each) => each.standing);
  const dropped = [...claims.dropped, ...answerStatements.dropped, ...inPassages.flatMap((each) => each.dropped)];
  // Each list needs evidence of its own: otherwise, a list of only invented quotes would look as if nothing was found.
  const isLost =
    (answer.claims.length > 0 && claims.standing.length === 0) ||
    (answer.answerStatements.length > 0 && answerStatements.standing.length === 0) ||
    (answer.contextStatements.length > 0 && contextStatements.length === 0);
  if (isLost) return undefined;
  const stands = {
    ...answer,
    claims: claims.standing,
    answerStatements: answerStatements.standing,
    contextStatements,
  };
  return { answer: stands, dropped, scores: computeScores(stands) };
}

function computeScores({ passages, contextStatements, claims, answerStatements }: RecallAnswer): RecallScores {
  return recallScores({
    passages: passages.map(({ relevant }) => relevant),
    contextStatements: contextStatements.map(({ relevant }) => relevant),
    claims: claims.map(({ supported }) => supported),
    answerStatements: answerStatements.map(({ relevant }) => relevant),
  });
}
