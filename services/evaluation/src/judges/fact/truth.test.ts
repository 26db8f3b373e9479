import { secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { type JudgeInput, judge, type ModelRequest } from "../index.ts";

/** Returns the ground truth in the judge's request, and the number of facts in its result. */
async function readTruth(more: Partial<JudgeInput>) {
  const prompts: string[] = [];
  const model = {
    generate: async <T>(request: ModelRequest<T>) => {
      prompts.push(request.prompt);
      const object = request.schema.parse({ claims: [], missing: [{ claim: "free", quote: "free" }] });
      if (object === undefined) throw new Error("breaks the schema");
      return { object, usage: { inputTokens: 1, outputTokens: 1 }, model: "m" };
    },
  };
  const input: JudgeInput = {
    question: "What is free?",
    output: "Nothing.",
    context: [],
    hasRetriever: false,
    votes: 1,
    definition: { type: "FACT", name: "True", groundTruth: "All is free.", styleGuide: [] },
    facts: [],
    expected: undefined,
    ...more,
  };
  const judged = await judge(input, { model, random: secureRandom, signal: AbortSignal.timeout(60_000) });
  const { facts } = { ...Object(judged.results?.details) };
  return [prompts[0]?.split(/BEGIN TRUTH\n|\n\S+ END TRUTH/)[1], facts];
}

test.each<[string, Partial<JudgeInput>, unknown[]]>([
  ["the link's expectation", { expected: "It is free.", facts: ["a", "b"] }, ["It is free.", undefined]],
  ["the topic's facts, a line each", { facts: ["A is free.", "B, too."] }, ["A is free.\nB, too.", 2]],
  ["facts where the expectation is blank", { facts: ["A is free."], expected: " \n" }, ["A is free.", 1]],
  ["the definition's ground truth", {}, ["All is free.", undefined]],
])("the truth is %s", async (_, more, truth) => {
  expect(await readTruth(more)).toEqual(truth);
});
