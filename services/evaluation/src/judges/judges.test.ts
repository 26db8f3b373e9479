// Tests each judge with a model that gives predefined answers.

import { secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { type JudgeInput, type JudgeType, judge, ModelFault, type ModelRequest } from "./index.ts";

const output = "Returns take 30 days. Ask us, we help.";

const input = (type: JudgeType, more: Partial<JudgeInput> = {}): JudgeInput => ({
  question: "How long do returns take?",
  output,
  context: ["Returns take 30 days.", "We sell shoes."],
  hasRetriever: true,
  facts: [],
  definition: {
    type,
    name: "Definition",
    criterion: "It names the days",
    groundTruth: "Returns take 30 days. They are free.",
    comparison: { type: "string" },
    styleGuide: [
      { heading: "Tone", content: "Be kind." },
      { heading: "Length", content: "Be short." },
    ],
  },
  expected: undefined,
  votes: 1,
  ...more,
});

type Reply = object | ModelFault;

/** Creates a model that gives these replies in order, and records its requests. */
function saying(...replies: Reply[]) {
  const requests: ModelRequest<unknown>[] = [];
  const model = {
    generate: async <T>(request: ModelRequest<T>) => {
      requests.push(request);
      const next = replies.shift();
      if (next === undefined) throw new Error("asked once more than expected");
      if (next instanceof ModelFault) throw next;
      const object = request.schema.parse(next);
      if (object === undefined) throw new ModelFault("schema", "breaks the schema");
      return { object, usage: { inputTokens: 1, outputTokens: 1 }, model: "m" };
    },
  };
  return { requests, left: replies, deps: { model, random: secureRandom, signal: AbortSignal.timeout(60_000) } };
}

const custom = { rationale: "It does", quotes: ["30 days"], choice: "Y" };
const naturalness = {
  analysis: "Fine",
  quotes: ["we help"],
  coherence: 5,
  engagingness: 4,
  naturalness: 4,
  relevance: 5,
  clarity: 4,
};
const style = {
  sections: [
    { section: 2, sentence: "Short.", quotes: ["Ask us"], score: 5 },
    { section: 1, sentence: "Kind.", quotes: ["we help", "not there"], score: 3 },
  ],
};
const fact = {
  claims: [
    { claim: "Returns take 30 days", quote: "Returns take 30 days", supported: true },
    { claim: "They help", quote: "we help", supported: false },
  ],
  missing: [{ claim: "Returns are free", quote: "They are  free." }],
};
const recall = {
  passages: [
    { passage: 2, relevant: false },
    { passage: 1, relevant: true },
  ],
  contextStatements: [
    { passage: 1, statement: "30 days", quote: "Returns take 30 days.", relevant: true, reason: "It says so" },
    { passage: 2, statement: "Shoes", quote: "We sell shoes.", relevant: false, reason: "Another matter" },
  ],
  claims: [
    { statement: "30 days", quote: "Returns take 30 days.", supported: true, classification: "NONE", reason: "r" },
    { statement: "Help", quote: "we help", supported: false, classification: "SCOPE_DRIFT", reason: "r" },
  ],
  answerStatements: [{ statement: "30 days", quote: "30 days", relevant: true }],
  reason: "The first one fits",
};

const answers: Readonly<Record<Exclude<JudgeType, "OUTPUT_MATCH">, object>> = {
  CUSTOM: custom,
  NATURALNESS: naturalness,
  STYLE: style,
  FACT: fact,
  RECALL: recall,
};
const types = Object.keys(answers) as (keyof typeof answers)[];

test("CUSTOM", async () => {
  expect(await judge(input("CUSTOM"), saying(custom).deps)).toEqual({
    status: "COMPLETED",
    score: 1,
    passed: true,
    results: {
      name: "Definition",
      score: 1,
      metadata: { rationale: "It does", choice: "Y" },
      details: { evidence: ["30 days"] },
    },
    judgeVersion: "custom/1",
  });
});

test("NATURALNESS", async () => {
  const { quotes: _, ...results } = naturalness;
  expect(await judge(input("NATURALNESS"), saying(naturalness).deps)).toEqual({
    status: "COMPLETED",
    score: 4.4,
    passed: true,
    results: { ...results, details: { evidence: ["we help"] } },
    judgeVersion: "naturalness/1",
  });
});

test("STYLE", async () => {
  const judgement = await judge(input("STYLE"), saying(style).deps);
  expect(judgement).toMatchObject({ status: "COMPLETED", score: 4, passed: true, judgeVersion: "style/1" });
  expect(judgement.results).toMatchObject({ score: 4, details: { dropped: ["not there"] } });
  expect(judgement.results?.analysis).toBe(
    "### Tone: 3 of 5\n\nKind.\n\n> we help\n\n### Length: 5 of 5\n\nShort.\n\n> Ask us",
  );
});

test("FACT", async () => {
  expect(await judge(input("FACT"), saying(fact).deps)).toMatchObject({
    score: 0.5,
    passed: false,
    results: {
      score: 0.5,
      precision: 0.5,
      recall: 0.5,
      classification: { TP: ["Returns take 30 days"], FP: ["They help"], FN: ["Returns are free"] },
    },
  });
  // The link's expected answer takes precedence over the definition's ground truth; a list becomes lines.
  const { requests, deps } = saying({ claims: [], missing: [{ claim: "a", quote: "a" }] });
  await judge(input("FACT", { expected: ["a", "b"] }), deps);
  expect(requests[0]?.prompt).toContain("BEGIN TRUTH\na\nb\n");
});

test("RECALL", async () => {
  const judgement = await judge(input("RECALL"), saying(recall).deps);
  expect(judgement).toMatchObject({ status: "COMPLETED", score: 0.75, passed: true });
  expect(judgement.results).toMatchObject({
    AnswerRelevancy: { name: "AnswerRelevancy", score: 1 },
    ContextPrecision: { score: 1, metadata: { reason: "The first one fits", verdict: 1 } },
    ContextRelevancy: {
      score: 0.5,
      metadata: { relevantSentences: [{ sentence: "30 days", reasons: ["It says so"] }] },
    },
    Faithfulness: {
      score: 0.5,
      metadata: {
        statements: ["30 days", "Help"],
        faithfulness: [
          { statement: "30 days", reason: "r", verdict: 1 },
          { statement: "Help", reason: "r", verdict: 0, classification: "SCOPE_DRIFT" },
        ],
      },
    },
  });
});

test.each([
  ["CUSTOM", { definition: { type: "CUSTOM", name: "n", styleGuide: [] } }, "SKIPPED", "no_expected"],
  ["STYLE", { definition: { type: "STYLE", name: "n", styleGuide: [] } }, "SKIPPED", "no_expected"],
  ["FACT", { definition: { type: "FACT", name: "n", styleGuide: [] } }, "SKIPPED", "no_expected"],
  ["OUTPUT_MATCH", {}, "SKIPPED", "no_expected"],
  ["OUTPUT_MATCH", { output: undefined }, "FAILED", "no_output"],
  ["RECALL", { hasRetriever: false }, "FAILED", "no_context"],
  ...types.map((type) => [type, { output: undefined }, "FAILED", "no_output"] as const),
  ...types.map((type) => [type, { output: " \n" }, "FAILED", "no_output"] as const),
] as const)("%s with %j ends %s %s, without a model call", async (type, more, status, code) => {
  const judgement = await judge(input(type, more as Partial<JudgeInput>), saying().deps);
  expect(judgement).toMatchObject({ status, message: expect.stringMatching(`^${code}: `) });
});

test.each(types)("%s without a model fails with a reason", async (type) => {
  const deps = { ...saying().deps, model: undefined };
  expect(await judge(input(type), deps)).toMatchObject({
    status: "FAILED",
    message: expect.stringMatching("^no_model_connection: "),
  });
});

const broken = new ModelFault("schema", "half a JSON");

test.each(types)("%s: an answer that breaks the schema is requested once more", async (type) => {
  const { requests, deps } = saying(broken, answers[type]);
  expect(await judge(input(type), deps)).toMatchObject({ status: "COMPLETED" });
  const [first, second] = requests;
  expect(second?.prompt.slice(0, first?.prompt.length)).toBe(first?.prompt);
  expect(second?.prompt.slice(first?.prompt.length)).toMatch(/^\n\nYour last answer could not be read/);

  const twice = saying(broken, { pass: true });
  expect(await judge(input(type), twice.deps)).toMatchObject({
    status: "FAILED",
    message: expect.stringMatching("^invalid_answer: "),
  });
  expect(twice.left).toEqual([]);
});

/** Returns the same answer with quotes that do not occur in the data. */
const invented = (answer: unknown): object =>
  JSON.parse(JSON.stringify(answer), (key, value) =>
    key === "quote" ? "invented" : key === "quotes" ? ["invented"] : value,
  );

test.each(types)("%s: quotes that occur nowhere are requested once more, and then refused", async (type) => {
  const { requests, deps } = saying(invented(answers[type]), answers[type]);
  expect(await judge(input(type), deps)).toMatchObject({ status: "COMPLETED" });
  expect(requests[1]?.prompt).toMatch(/\n\nThe quotes of your last answer are not in the data/);
  expect(await judge(input(type), saying(invented(answers[type]), invented(answers[type])).deps)).toMatchObject({
    status: "FAILED",
    message: expect.stringMatching("^evidence_missing: "),
  });
});

test.each(types)("%s: a refusal ends it; the caller handles other faults", async (type) => {
  const refused = await judge(input(type), saying(new ModelFault("refused", "no")).deps);
  expect(refused).toMatchObject({ status: "FAILED", message: "model_refused: no" });
  for (const kind of ["unavailable", "rate_limited", "rejected", "not_completion"] as const) {
    const fault = new ModelFault(kind, "fault");
    await expect(judge(input(type), saying(fault).deps)).rejects.toBe(fault);
  }
});

test("votes differ by seed, and the median of each field counts", async () => {
  const vote = (clarity: number, relevance: number) => ({ ...naturalness, clarity, relevance });
  const { requests, deps } = saying(vote(1, 5), vote(5, 3), vote(4, 4));
  const judgement = await judge(input("NATURALNESS", { votes: 3 }), deps);
  expect(judgement.results).toMatchObject({ clarity: 4, relevance: 4, details: { votes: [3.8, 4.2, 4.2] } });
  expect(requests.map(({ temperature }) => temperature)).toEqual([0.7, 0.7, 0.7]);
  expect(new Set(requests.map(({ seed }) => seed)).size).toBe(3);

  const no = { ...custom, choice: "N", rationale: "No" };
  const majority = await judge(input("CUSTOM", { votes: 3 }), saying(custom, no, no).deps);
  expect(majority).toMatchObject({ score: 0, results: { metadata: { choice: "N", rationale: "No" } } });
});

test("long inputs are truncated in the middle, with a note, and evidence still counts", async () => {
  const long = `${output}${"x".repeat(100_000)}The end.`;
  const { requests, deps } = saying({ ...custom, quotes: ["30 days", "The end."] });
  const judgement = await judge(input("CUSTOM", { output: long }), deps);
  expect(judgement.results).toMatchObject({ details: { truncated: ["ANSWER"], evidence: ["30 days", "The end."] } });
  expect(requests[0]?.prompt).toMatch(/x\n\[\.\.\. 40046 characters left out \.\.\.\]\nx/);
  expect(requests[0]?.prompt.length).toBeLessThan(62_000);
});

test("OUTPUT_MATCH of a list, and of one that is too long to be returned whole", async () => {
  const comparison = { type: "list", matchMode: "exact_unordered", passThreshold: 0.5 } as const;
  const listed = (expected: string | string[], text: string) =>
    judge(
      input("OUTPUT_MATCH", {
        expected,
        output: text,
        definition: { type: "OUTPUT_MATCH", name: "n", comparison, styleGuide: [] },
      }),
      saying().deps,
    );
  expect(await listed("a", "a\nb")).toEqual({
    status: "COMPLETED",
    score: 2 / 3,
    passed: true,
    results: {
      score: 2 / 3,
      reason: "1 of 1 expected item found in 2 items; f1 0.667 reaches 0.5",
      expectedList: ["a"],
      gotList: ["a", "b"],
      matchMode: "exact_unordered",
      scoreMetric: "f1",
      f1: 2 / 3,
      precision: 0.5,
      recall: 1,
      tp: 1,
      missing: [],
    },
    judgeVersion: "output-match/2",
  });
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
  const long = await listed(lines.slice(0, 1_000), lines.join("\n"));
  expect(long).toMatchObject({ score: 2_000 / 21_000, results: { details: { resultsCut: true } } });
  expect(JSON.stringify(long.results).length).toBeLessThan(32 * 1024);
});
