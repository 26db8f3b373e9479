import { collectReplies } from "../collect-replies.ts";
import { createQuoteFinder, standing } from "../evidence.ts";
import type { Judge, JudgeInput } from "../judge.ts";
import { medianBy } from "../median.ts";
import { completed, failed, instructions, noModelConnection, noOutput, skipped } from "../model-judge.ts";
import { cutBlock } from "../truncate.ts";
import { factAnswer } from "./answer.ts";
import { prompt, version } from "./prompt.ts";
import { factScore } from "./score.ts";

const system = instructions(prompt);

/** Compares the claims of the answer with the ground truth. */
export const judgeFact: Judge = async (input, deps) => {
  const { question, output, votes } = input;
  if (output === undefined) return noOutput(version);
  const truth = findTruth(input);
  if (truth === undefined)
    return skipped(version, "no_expected: Neither a link, the topic's facts nor the definition has a ground truth");
  if (deps.model === undefined) return noModelConnection(version);
  const cuts = [cutBlock("QUESTION", question), cutBlock("ANSWER", output), cutBlock("TRUTH", truth.text)];
  const findInAnswer = createQuoteFinder(output);
  const findInTruth = createQuoteFinder(truth.text);
  const answers = await collectReplies(
    {
      system,
      blocks: cuts.map(({ block }) => block),
      schema: factAnswer,
      votes,
      accept: ({ claims, missing }) => {
        const made = standing(claims, findInAnswer);
        const omitted = standing(missing, findInTruth);
        if (claims.length + missing.length > 0 && made.standing.length + omitted.standing.length === 0)
          return undefined;
        return judged(made, omitted);
      },
    },
    deps.model,
    deps,
  );
  if (!answers.ok) return failed(version, answers.message);
  const chosen = medianBy(answers.replies, ({ score }) => score);
  const { score, precision, recall, passed, classification } = chosen;
  return completed(version, {
    score,
    passed,
    results: {
      score,
      classification,
      ...(precision !== undefined && { precision }),
      ...(recall !== undefined && { recall }),
    },
    details: {
      evidence: chosen.evidence,
      dropped: chosen.dropped,
      ...(truth.facts > 0 && { facts: truth.facts }),
      votes: votes > 1 ? answers.replies.map((reply) => reply.score) : [],
      truncated: cuts.filter(({ isCut }) => isCut).map(({ block }) => block.name),
    },
  });
};

/**
 * Returns the ground truth: the link's expected answer, else facts, else the definition's ground truth. `facts` is the
 * number of facts.
 */
function findTruth({ expected, facts, definition }: JudgeInput) {
  const linked = typeof expected === "object" ? expected.join("\n") : expected;
  const truths = [
    { text: linked, facts: 0 },
    { text: facts.join("\n"), facts: facts.length },
    { text: definition.groundTruth, facts: 0 },
  ];
  return truths.find((truth): truth is { text: string; facts: number } => (truth.text ?? "").trim() !== "");
}

interface Claim {
  readonly claim: string;
  readonly quote: string;
}

interface Standing<T> {
  readonly standing: readonly T[];
  readonly dropped: readonly string[];
}

/** Counts the claims with valid quotes. */
function judged(made: Standing<Claim & { readonly supported: boolean }>, omitted: Standing<Claim>) {
  const listTexts = (claims: readonly Claim[]) => claims.map(({ claim }) => claim);
  const classification = {
    TP: listTexts(made.standing.filter(({ supported }) => supported)),
    FP: listTexts(made.standing.filter(({ supported }) => !supported)),
    FN: listTexts(omitted.standing),
  };
  const { TP, FP, FN } = classification;
  return {
    ...factScore({ tp: TP.length, fp: FP.length, fn: FN.length }),
    classification,
    evidence: [...made.standing, ...omitted.standing].map(({ claim, quote }) => ({ claim, quote })),
    dropped: [...made.dropped, ...omitted.dropped],
  };
}
