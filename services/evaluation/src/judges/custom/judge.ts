import { collectReplies } from "../collect-replies.ts";
import { createQuoteFinder, standingQuotes } from "../evidence.ts";
import type { Judge } from "../judge.ts";
import { completed, failed, instructions, noModelConnection, noOutput, skipped } from "../model-judge.ts";
import { cutBlock } from "../truncate.ts";
import { customAnswer } from "./answer.ts";
import { prompt, version } from "./prompt.ts";
import { customScore } from "./score.ts";

const system = instructions(prompt);

/** Judges with Y or N by the criterion of the definition. */
export const judgeCustom: Judge = async ({ question, output, definition, votes }, deps) => {
  if (output === undefined) return noOutput(version);
  const { criterion } = definition;
  if (criterion === undefined) return skipped(version, "no_expected: The definition has no criterion");
  if (deps.model === undefined) return noModelConnection(version);
  const cuts = [cutBlock("QUESTION", question), cutBlock("ANSWER", output), cutBlock("CRITERION", criterion)];
  const findQuote = createQuoteFinder(output);
  const answers = await collectReplies(
    {
      system,
      blocks: cuts.map(({ block }) => block),
      schema: customAnswer,
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
  const { score, passed } = customScore(replies.map(({ choice }) => choice));
  const choice = passed ? "Y" : "N";
  // The result contains the first reply that agrees with it.
  const chosen = replies.find((reply) => reply.choice === choice);
  return completed(version, {
    score,
    passed,
    results: { name: definition.name, score, metadata: { rationale: chosen?.rationale ?? "", choice } },
    details: {
      evidence: chosen?.evidence ?? [],
      dropped: chosen?.dropped ?? [],
      votes: votes > 1 ? replies.map((reply) => reply.choice) : [],
      truncated: cuts.filter(({ isCut }) => isCut).map(({ block }) => block.name),
    },
  });
};
