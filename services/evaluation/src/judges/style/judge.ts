import { collectReplies } from "../collect-replies.ts";
import { createQuoteFinder, type FindQuote, standingQuotes } from "../evidence.ts";
import type { Judge } from "../judge.ts";
import { completed, failed, instructions, noModelConnection, noOutput, skipped } from "../model-judge.ts";
import { cutBlock } from "../truncate.ts";
import { type SectionGrade, styleAnswer } from "./answer.ts";
import { prompt, version } from "./prompt.ts";
import { styleScore } from "./score.ts";

const system = instructions(prompt);

/** Grades each section of the style guide, with evidence for each grade. */
export const judgeStyle: Judge = async ({ question, output, definition, votes }, deps) => {
  if (output === undefined) return noOutput(version);
  const guide = definition.styleGuide;
  if (guide.length === 0) return skipped(version, "no_expected: The definition has no style guide with sections");
  if (deps.model === undefined) return noModelConnection(version);
  const cuts = [
    cutBlock("QUESTION", question),
    cutBlock("ANSWER", output),
    ...guide.map(({ heading, content }, at) => cutBlock(`SECTION ${at + 1}`, `${heading}\n${content}`)),
  ];
  const findQuote = createQuoteFinder(output);
  const answers = await collectReplies(
    {
      system,
      blocks: cuts.map(({ block }) => block),
      schema: styleAnswer(guide.length),
      votes,
      accept: (sections) => evident(sections, findQuote),
    },
    deps.model,
    deps,
  );
  if (!answers.ok) return failed(version, answers.message);
  const { replies } = answers;
  const { sections, score, passed } = styleScore(replies.map((reply) => reply.sections.map((each) => each.score)));
  // For each section, the result contains the first vote with the median grade.
  const chosen = sections.map((grade, at) =>
    replies.map((reply) => reply.sections[at]).find((section) => section?.score === grade),
  );
  const reported = guide.map(({ heading }, at) => ({
    heading,
    score: sections[at] ?? 0,
    sentence: chosen[at]?.sentence ?? "",
    quotes: chosen[at]?.quotes ?? [],
  }));
  return completed(version, {
    score,
    passed,
    results: { analysis: reported.map(inMarkdown).join("\n\n"), score },
    details: {
      sections: reported,
      dropped: replies.flatMap(({ dropped }) => dropped),
      votes: votes > 1 ? replies.map((reply) => reply.sections.map((each) => each.score)) : [],
      truncated: cuts.filter(({ isCut }) => isCut).map(({ block }) => block.name),
    },
  });
};

/** Returns the grades with evidence; undefined if a section has no valid quote, because each section needs one. */
function evident(sections: readonly SectionGrade[], findQuote: FindQuote) {
  const found = sections.map((section) => ({ section, ...standingQuotes(section.quotes, findQuote) }));
  if (found.some(({ evidence }) => evidence.length === 0)) return undefined;
  return {
    sections: found.map(({ section, evidence }) => ({ ...section, quotes: evidence })),
    dropped: found.flatMap(({ dropped }) => dropped),
  };
}

interface ReportedSection {
  readonly heading: string;
  readonly score: number;
  readonly sentence: string;
  readonly quotes: readonly string[];
}

const inMarkdown = ({ heading, score, sentence, quotes }: ReportedSection) =>
  [`### ${oneLine(heading)}: ${score} of 5`, sentence, ...quotes.map((quote) => `> ${oneLine(quote)}`)].join("\n\n");

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
