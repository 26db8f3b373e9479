// Answers of the scripted model: a function of the request's texts, so that a reference can compute every result.

import type { Block, ModelRequest } from "./request.ts";

export type ScriptedAnswer = Readonly<Record<string, unknown>>;

/** Answer of a deterministic model, by the rules of the README. */
export function scriptedAnswer({ schema, blocks }: Pick<ModelRequest, "schema" | "blocks">): ScriptedAnswer {
  const fields = Object.keys(schema?.properties ?? {});
  const answer = getText(blocks, "ANSWER");
  if (fields.includes("coherence")) return naturalness(answer);
  if (fields.includes("sections")) return style(blocks, answer);
  if (fields.includes("choice")) return custom(answer, getText(blocks, "CRITERION"));
  if (fields.includes("contextStatements")) return recall(blocks, answer);
  if (fields.includes("missing")) return fact(answer, getText(blocks, "TRUTH"));
  if (fields.includes("needs")) return documentCoverage(blocks);
  if (fields.includes("statements"))
    return documentComparison(getText(blocks, "PASSAGE 1"), getText(blocks, "PASSAGE 2"));
  if (fields.includes("serves")) return documentMapping(blocks);
  const all = blocks.map(({ text }) => text).join("\n");
  return Object.fromEntries(fields.map((field) => [field, `${field} ${hash(field + all)}`]));
}

/** FNV-1a over UTF-16 code units, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Parts of a text that end with a period, an exclamation or question mark, or a line. */
export const getSentences = (text: string): string[] => [
  ...new Set((text.match(/[^.!?\n]+[.!?]*/g) ?? []).map((sentence) => sentence.trim()).filter((each) => each !== "")),
];

const grade = (field: string, text: string) => 1 + (hash(field + text) % 5);

const firstSentence = (text: string) => getSentences(text)[0] ?? text;

const getText = (blocks: readonly Block[], name: string) => blocks.find((block) => block.name === name)?.text ?? "";

function naturalness(answer: string): ScriptedAnswer {
  const fields = ["coherence", "engagingness", "naturalness", "relevance", "clarity"];
  const grades = Object.fromEntries(fields.map((field) => [field, grade(field, answer)]));
  return { analysis: `Analysis ${hash(answer)}`, quotes: [firstSentence(answer)], ...grades };
}

function style(blocks: readonly Block[], answer: string): ScriptedAnswer {
  const sections = blocks.filter(({ name }) => name.startsWith("SECTION "));
  return {
    sections: sections.map(({ name, text }) => ({
      section: Number(name.slice("SECTION ".length)),
      sentence: `Sentence ${hash(text + answer)}.`,
      quotes: [firstSentence(answer)],
      score: grade(text, answer),
    })),
  };
}

function custom(answer: string, criterion: string): ScriptedAnswer {
  const words = [...criterion.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word);
  const isMet = words.length > 0 ? words.some((word) => answer.includes(word)) : hash(answer) % 2 === 0;
  return {
    rationale: `Rationale ${hash(criterion + answer)}`,
    quotes: [firstSentence(answer)],
    choice: isMet ? "Y" : "N",
  };
}

function fact(answer: string, truth: string): ScriptedAnswer {
  return {
    claims: getSentences(answer).map((claim) => ({ claim, quote: claim, supported: truth.includes(claim) })),
    missing: getSentences(truth)
      .filter((claim) => !answer.includes(claim))
      .map((claim) => ({ claim, quote: claim })),
  };
}

function documentCoverage(blocks: readonly Block[]): ScriptedAnswer {
  const passages = numberedBlocks(blocks, "PASSAGE");
  const needs = getSentences(getText(blocks, "TASK")).map((need) => {
    const words = getWords(need);
    const found = passages.filter(({ text }) => [...getWords(text)].some((word) => words.has(word)));
    return { need, passages: found.map(({ number }) => number), covered: found.length > 0 };
  });
  return { needs, reasoning: `Needs ${needs.length}` };
}

function documentComparison(first: string, second: string): ScriptedAnswer {
  const [ofFirst, ofSecond] = [getSentences(first), getSentences(second)];
  const buildStatements = (passage: 1 | 2, sentences: string[], unsupported: string[]) =>
    sentences.map((statement) => ({ passage, statement, repeated: unsupported.includes(statement) }));
  const withoutNumbers = (sentence: string) => sentence.replace(/\d+/g, "#");
  const contradictions = ofFirst.flatMap((quote1) =>
    ofSecond
      .filter((quote2) => quote1 !== quote2 && withoutNumbers(quote1) === withoutNumbers(quote2))
      .map((quote2) => ({ reason: "The numbers differ", quote1, quote2 })),
  );
  const statements = [...buildStatements(1, ofFirst, ofSecond), ...buildStatements(2, ofSecond, ofFirst)];
  return { statements, contradictions, reasoning: `Statements ${statements.length}` };
}

function documentMapping(blocks: readonly Block[]): ScriptedAnswer {
  const words = getWords(getText(blocks, "DOCUMENT"));
  const served = numberedBlocks(blocks, "TASK").filter(({ text }) =>
    [...getWords(text)].some((word) => words.has(word)),
  );
  return { serves: served.map(({ number }) => number), reasoning: `Tasks ${served.length}` };
}

const numberedBlocks = (blocks: readonly Block[], name: string) =>
  blocks
    .filter((block) => block.name.startsWith(`${name} `))
    .map((block) => ({ number: Number(block.name.slice(name.length + 1)), text: block.text }));

function recall(blocks: readonly Block[], answer: string): ScriptedAnswer {
  const question = getWords(getText(blocks, "QUESTION"));
  const isRelevant = (text: string) => [...getWords(text)].some((word) => question.has(word));
  const passages = blocks.filter(({ name }) => name.startsWith("PASSAGE "));
  const numbered = passages.map(({ name, text }) => ({ passage: Number(name.slice("PASSAGE ".length)), text }));
  const statements = getSentences(answer);
  return {
    passages: numbered.map(({ passage, text }) => ({ passage, relevant: isRelevant(text) })),
    contextStatements: numbered.flatMap(({ passage, text }) =>
      getSentences(text).map((statement) => ({
        passage,
        statement,
        quote: statement,
        relevant: isRelevant(statement),
        reason: "Words of the question",
      })),
    ),
    claims: statements.map((statement) => {
      const supported = passages.some(({ text }) => text.includes(statement));
      const classification = supported ? "NONE" : "UNSUPPORTED_CLAIM";
      return { statement, quote: statement, supported, classification, reason: "Words of the passages" };
    }),
    answerStatements: statements.map((statement) => ({ statement, quote: statement, relevant: isRelevant(statement) })),
    reason: "The order of the retrieval",
  };
}

const getWords = (text: string) => new Set(text.toLowerCase().match(/\p{L}{5,}/gu));
