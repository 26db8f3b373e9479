// Sample evaluations: scores and results for each definition type, in the form that judges produce.

import type { JsonObject } from "@bufbuild/protobuf";
import type { SeedDefinition, SeedTask } from "./catalog.ts";
import type { Random } from "./random.ts";

export interface SeedAnswer {
  readonly text: string;
  readonly isWrong: boolean;
  /** Quality from 0 to 1. */
  readonly quality: number;
}

/** Builds an answer from the document. The lower the quality, the more often the answer contradicts the document. */
export function answerTo(random: Random, { topic }: SeedTask, level: number): SeedAnswer {
  const quality = around(random, level);
  const isWrong = quality < 0.6;
  const [first = ""] = splitSentences(topic.document.en);
  return { text: isWrong ? `${first} ${topic.wrong}` : topic.document.en, isWrong, quality };
}

export interface Judgement {
  readonly score: number;
  readonly passed: boolean;
  readonly results: JsonObject;
}

export function evaluateAnswer(
  random: Random,
  task: SeedTask,
  definition: SeedDefinition,
  answer: SeedAnswer,
): Judgement {
  const quality = around(random, answer.quality - definition.difficulty, 0.05);
  switch (definition.type) {
    case "NATURALNESS":
      return naturalness(random, quality);
    case "STYLE":
      return style(random, quality, answer);
    case "RECALL":
      return recall(random, quality, task, answer);
    case "FACT":
      return fact(task, answer);
    case "CUSTOM":
      return custom(quality, definition, answer);
  }
}

function naturalness(random: Random, quality: number): Judgement {
  const names = ["clarity", "coherence", "engagingness", "naturalness", "relevance"] as const;
  const grades = Object.fromEntries(names.map((name) => [name, toGrade(around(random, quality, 0.04))]));
  const score = mean(Object.values(grades));
  const passed = score >= 3.5 && Object.values(grades).every((grade) => grade >= 3.5);
  const analysis = passed
    ? "The answer reads like a colleague who knows the matter: short sentences, no form letter."
    : "The sentences are correct, but stiff, and the customer's own words are not taken up.";
  return { score, passed, results: { analysis, ...grades } };
}

function style(random: Random, quality: number, answer: SeedAnswer): Judgement {
  const [quote = ""] = splitSentences(answer.text);
  const sections = ["Tone", "Amounts", "Promises"].map((heading) => {
    const score = toGrade(around(random, quality + 0.02, 0.06));
    const sentence = score >= 4 ? "Keeps to the section." : "Leaves out what the section asks for.";
    return { heading, score, sentence, quotes: [quote] };
  });
  const score = mean(sections.map((section) => section.score));
  const analysis = sections
    .map(({ heading, score, sentence }) => `**${heading}** (${score}): ${sentence}`)
    .join("\n\n");
  return { score, passed: score >= 3.5, results: { analysis, score, details: { sections } } };
}

function recall(random: Random, quality: number, { topic }: SeedTask, { isWrong }: SeedAnswer): Judgement {
  const sentences = splitSentences(topic.document.en);
  const part = (shift: number) => around(random, quality + shift, 0.05);
  const [first = "", ...otherSentences] = sentences;
  const statements = isWrong ? [first, topic.wrong] : sentences;
  const supported = isWrong ? 0.5 : 1;
  const scores = [part(-0.2), part(-0.1), supported, part(-0.15)] as const;
  const score = mean(scores);
  const unsupported = { reason: "The document says otherwise.", verdict: 0, classification: "CONTRADICTION" };
  const results = {
    ContextRelevancy: {
      name: "ContextRelevancy",
      score: scores[0],
      metadata: { relevantSentences: [{ sentence: first, reasons: ["It answers the question."] }] },
    },
    ContextPrecision: {
      name: "ContextPrecision",
      score: scores[1],
      metadata: { reason: `The passage of “${topic.document.title}” came first.`, verdict: scores[1] >= 0.5 ? 1 : 0 },
    },
    Faithfulness: {
      name: "Faithfulness",
      score: scores[2],
      metadata: {
        statements: [...statements],
        faithfulness: statements.map((statement) => ({
          statement,
          ...(statement === topic.wrong ? unsupported : { reason: "The passage says so.", verdict: 1 }),
        })),
      },
    },
    AnswerRelevancy: { name: "AnswerRelevancy", score: scores[3] },
    details: { evidence: otherSentences.slice(0, 1) },
  };
  return { score, passed: score >= 0.5, results };
}

/** Builds a FACT judgment: the F1 score of the answer's claims, computed like the judge does. */
function fact({ topic }: SeedTask, { isWrong }: SeedAnswer): Judgement {
  const sentences = splitSentences(topic.document.en);
  const [first = "", ...otherSentences] = sentences;
  const classification = isWrong
    ? { TP: [first], FP: [topic.wrong], FN: otherSentences }
    : { TP: sentences, FP: [], FN: [] };
  const [tp, fp, fn] = [classification.TP.length, classification.FP.length, classification.FN.length];
  const score = round((2 * tp) / (2 * tp + fp + fn));
  const ratios = { precision: round(tp / (tp + fp)), recall: round(tp / (tp + fn)) };
  return { score, passed: score >= 0.8, results: { score, classification, ...ratios } };
}

function custom(quality: number, { name }: SeedDefinition, { text }: SeedAnswer): Judgement {
  const passed = quality >= 0.5;
  const rationale = passed
    ? "The answer asks for nothing that only the customer should know."
    : "The answer asks the customer to confirm who they are with data that the bank must not ask for.";
  const metadata = { rationale, choice: passed ? "Y" : "N" };
  const score = passed ? 1 : 0;
  return { score, passed, results: { name, score, metadata, details: { evidence: splitSentences(text).slice(-1) } } };
}

export function splitSentences(text: string): string[] {
  return text.match(/[^.;]+[.;]/g)?.map((sentence) => sentence.trim()) ?? [text];
}

/** Converts a quality to a grade from 1 to 5. */
function toGrade(quality: number): number {
  return Math.min(5, Math.max(1, Math.round(1.4 + 4 * quality)));
}

/** Returns a random number from 0 to 1 with four decimals, usually near `level`. */
function around(random: Random, level: number, spread = 0.12): number {
  const part = () => random.int(-10_000, 10_000) / 10_000;
  return round(Math.min(1, Math.max(0, level + spread * (part() + part()))));
}

function mean(values: readonly number[]): number {
  return round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
