import { collectReplies } from "../collect-replies.ts";
import { createQuoteFinder, standingQuotes } from "../evidence.ts";
import type { Judge } from "../judge.ts";
import { mean, medianBy } from "../median.ts";
import { completed, failed, instructions, noModelConnection, noOutput } from "../model-judge.ts";
import { cutBlock } from "../truncate.ts";
import { naturalnessAnswer } from "./answer.ts";
import { prompt, version } from "./prompt.ts";
import { aspects, type Grades, naturalnessScore } from "./score.ts";

const system = instructions(prompt);

const getMean = (grades: Grades) => mean(aspects.map((aspect) => grades[aspect]));

/** Grades five aspects of how naturally the answer reads. */
export const judgeNaturalness: Judge = async ({ question, output, votes }, deps) => {
  if (output === undefined) return noOutput(version);
  if (deps.model === undefined) return noModelConnection(version);
  const cuts = [cutBlock("QUESTION", question), cutBlock("ANSWER", output)];
  const findQuote = createQuoteFinder(output);
  const answers = await collectReplies(
    {
      system,
      blocks: cuts.map(({ block }) => block),
      schema: naturalnessAnswer,
      votes,
      accept: ({ quotes, ...answer }) => {
        const found = standingQuotes(quotes, findQuote);
        return quotes.length > 0 && found.evidence.length === 0 ? undefined : { ...answer, ...found };
      },
    },
    deps.model,
    deps,
  );
  if (!answers.ok) return failed(version, answers.message);
  const { replies } = answers;
  const { grades, score, passed } = naturalnessScore(replies);
  const chosen = medianBy(replies, getMean);
  return completed(version, {
    score,
    passed,
    results: { analysis: chosen.analysis, ...grades },
    details: {
      evidence: chosen.evidence,
      dropped: chosen.dropped,
      votes: votes > 1 ? replies.map(getMean) : [],
      truncated: cuts.filter(({ isCut }) => isCut).map(({ block }) => block.name),
    },
  });
};
