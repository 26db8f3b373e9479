// An independent model of the evaluation rules, without any of the product's code. It takes the answers of the scripted
// model, and computes the expected result of a test from them.

import { scriptedAnswer } from "@ems/test-support/model-server";
import { criterion, getBehavior, getNumber, groundTruth, styleSections, taskExpects, topicCode } from "./scenario.ts";

export type DefinitionType = "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH";
export const definitionTypes: readonly DefinitionType[] = [
  ...(["NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"] as const),
];

export interface ExpectedEvaluation {
  readonly status: "COMPLETED" | "FAILED";
  readonly score?: number;
  readonly passed?: boolean;
  /** First word of the message, which is stable. */
  readonly reason?: string;
}

export interface ExpectedTest {
  readonly status: "COMPLETED" | "FAILED";
  readonly reason?: string;
  readonly score?: number;
  /** Missing if an evaluation is FAILED. */
  readonly passed?: boolean;
  readonly outcome: "PASSED" | "FAILED" | "ERRORED";
  readonly errorCause?: "APPLICATION" | "CONFIGURATION" | "JUDGE";
  readonly evaluations: Readonly<Partial<Record<DefinitionType, ExpectedEvaluation>>>;
  readonly result?: { readonly total: number; readonly passed: number; readonly averageScore: number };
}

/** Expected result of a test. Without a model, evaluations that need one fail. */
export function expectedTest(prompt: string, hasModel: boolean): ExpectedTest {
  const { manner } = getBehavior(prompt);
  const unanswered = { status: "FAILED", outcome: "ERRORED", errorCause: "APPLICATION", evaluations: {} } as const;
  if (manner === "broken") return { ...unanswered, reason: "prompt_failed" };
  if (manner === "never" || manner === "late") return { ...unanswered, reason: "no_trace" };
  const evaluations = Object.fromEntries(
    definitionTypes.map((type) => [type, expectedEvaluation(type, prompt, hasModel)]),
  ) as Record<DefinitionType, ExpectedEvaluation>;
  const all = Object.entries(evaluations);
  const scores = all.flatMap(([type, { score }]) =>
    score === undefined ? [] : type === "NATURALNESS" || type === "STYLE" ? (score - 1) / 4 : score,
  );
  const passed = all.filter(([, evaluation]) => evaluation.passed === true).length;
  const reasons = all.flatMap(([, { status, reason = "" }]) => (status === "FAILED" ? [reason] : []));
  const judged = all.length - reasons.length;
  return {
    status: "COMPLETED",
    evaluations,
    ...(reasons.length === 0 && { passed: passed === all.length, score: mean(scores) }),
    outcome: reasons.length > 0 ? "ERRORED" : passed === all.length ? "PASSED" : "FAILED",
    ...(reasons.length > 0 && { errorCause: expectedCause(reasons) }),
    ...(judged > 0 && { result: { total: judged, passed, averageScore: scores.length === 0 ? 0 : mean(scores) } }),
  };
}

function expectedCause(reasons: readonly string[]) {
  if (reasons.includes("no_output")) return "APPLICATION";
  return reasons.includes("no_context") || reasons.includes("no_model_connection") ? "CONFIGURATION" : "JUDGE";
}

function expectedEvaluation(type: DefinitionType, prompt: string, hasModel: boolean): ExpectedEvaluation {
  const { answer, passages } = getBehavior(prompt);
  if (answer === undefined) return failed("no_output");
  if (type === "OUTPUT_MATCH") return outputMatch(answer, prompt);
  if (type === "RECALL" && passages === undefined) return failed("no_context");
  if (!hasModel) return failed("no_model_connection");
  switch (type) {
    case "NATURALNESS": {
      const fields = ["coherence", "engagingness", "naturalness", "relevance", "clarity"];
      const output = query(fields, [["ANSWER", answer]]);
      const grades = fields.map((field) => Number(output[field]));
      return completed(mean(grades), grades.every((grade) => grade >= 3.5) && mean(grades) >= 3.5);
    }
    case "STYLE": {
      const blocks = styleSections.map(({ heading, content }, at) => [`SECTION ${at + 1}`, `${heading}\n${content}`]);
      const { sections } = query<{ sections: { score: number }[] }>(["sections"], [["ANSWER", answer], ...blocks]);
      const score = mean(sections.map((section) => section.score));
      return completed(score, score >= 3.5);
    }
    case "CUSTOM": {
      const blocks = [
        ["ANSWER", answer],
        ["CRITERION", criterion],
      ];
      const { choice } = query<{ choice: string }>(["choice"], blocks);
      return completed(choice === "Y" ? 1 : 0, choice === "Y");
    }
    case "FACT": {
      const truth = taskExpects(computeTask(prompt))?.truth ?? groundTruth;
      const blocks = [
        ["ANSWER", answer],
        ["TRUTH", truth],
      ];
      const { claims, missing } = query<{ claims: { supported: boolean }[]; missing: unknown[] }>(["missing"], blocks);
      const truePositive = claims.filter(({ supported }) => supported).length;
      const score = (2 * truePositive) / (truePositive + claims.length + missing.length);
      return completed(score, score >= 0.8);
    }
    case "RECALL":
      return recall(prompt, answer, passages ?? []);
  }
}

interface Recalled {
  readonly passages: { readonly relevant: boolean }[];
  readonly contextStatements: { readonly relevant: boolean }[];
  readonly claims: { readonly supported: boolean }[];
  readonly answerStatements: { readonly relevant: boolean }[];
}

function recall(prompt: string, answer: string, passages: readonly string[]): ExpectedEvaluation {
  const blocks = [["QUESTION", prompt], ["ANSWER", answer], ...passages.map((text, at) => [`PASSAGE ${at + 1}`, text])];
  const output = query<Recalled>(["contextStatements"], blocks);
  const share = (flags: readonly boolean[]) => flags.filter(Boolean).length / flags.length;
  const ranks = output.passages.flatMap(({ relevant }, at) => (relevant ? [at + 1] : []));
  const score = mean([
    share(output.contextStatements.map(({ relevant }) => relevant)),
    ranks.length === 0 ? 0 : mean(ranks.map((rank, at) => (at + 1) / rank)),
    share(output.claims.map(({ supported }) => supported)),
    share(output.answerStatements.map(({ relevant }) => relevant)),
  ]);
  return completed(score, score >= 0.5);
}

function outputMatch(answer: string, prompt: string): ExpectedEvaluation {
  const expected = taskExpects(computeTask(prompt))?.code ?? topicCode;
  const score = /code (\d+)/.exec(answer)?.[1] === expected ? 1 : 0;
  return completed(score, score === 1);
}

// biome-ignore lint/suspicious/noExplicitAny: each schema has an answer of its own
function query<Answer = any>(fields: readonly string[], blocks: readonly (readonly string[])[]): Answer {
  const properties = Object.fromEntries(fields.map((field) => [field, {}]));
  const named = blocks.map(([name = "", text = ""]) => ({ name, text }));
  return scriptedAnswer({ schema: { properties }, blocks: named } as Parameters<typeof scriptedAnswer>[0]) as Answer;
}

const computeTask = (prompt: string) => Math.floor(getNumber(prompt) / 10);
const completed = (score: number, passed: boolean): ExpectedEvaluation => ({ status: "COMPLETED", score, passed });
const failed = (reason: string): ExpectedEvaluation => ({ status: "FAILED", reason });
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
