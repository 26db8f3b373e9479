import { answerObject, answerSchema, blockNumber, boundedList, grade, quotes, text } from "../answer-schema.ts";
import type { AnswerSchema } from "../judge.ts";

const section = answerObject({
  section: blockNumber(),
  sentence: text(),
  quotes: quotes(),
  score: grade(),
});
const judgement = answerSchema("style_judgement", answerObject({ sections: boundedList(section) }));

export interface SectionGrade {
  /** Number of the section, starting at 1. */
  readonly section: number;
  readonly sentence: string;
  readonly quotes: readonly string[];
  readonly score: number;
}

/** Returns the answer's schema, which requires each section of the guide exactly once, in order. */
export function styleAnswer(sectionCount: number): AnswerSchema<SectionGrade[]> {
  return {
    ...judgement,
    parse: (value) => {
      const sections = judgement.parse(value)?.sections.toSorted((a, b) => a.section - b.section);
      const isWhole = sections?.length === sectionCount && sections.every(({ section }, at) => section === at + 1);
      return isWhole ? sections : undefined;
    },
    findProblem: (value) =>
      judgement.findProblem?.(value) ?? `sections: expected each section from 1 to ${sectionCount} exactly once`,
  };
}
