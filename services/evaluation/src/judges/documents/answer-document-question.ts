// Answers one question of a document test, with the rules of judges. The texts of documents and tasks are only data.

import type { Block } from "../blocks.ts";
import { collectReplies, type Replies } from "../collect-replies.ts";
import type { JudgeDeps, ModelCaller } from "../judge.ts";
import { cutBlock } from "../truncate.ts";
import { comparisonAnswer, coverageAnswer, mappingAnswer } from "./answers.ts";
import { type DocumentFinding, getComparison, getCoverage, getMapping } from "./findings.ts";
import { comparisonInstructions, coverageInstructions, mappingInstructions } from "./prompts.ts";

export type { DocumentFinding } from "./findings.ts";

interface Text {
  readonly title: string;
  readonly text: string;
}

export interface DocumentQuestion {
  readonly type: "KNOWLEDGE_COVERAGE" | "MECE" | "DOCS_TO_TASKS_MAPPING";
  readonly subject: Text;
  readonly candidates: readonly Text[];
}

/** Returns what the model found, or the reason why there is no finding. */
export async function answerDocumentQuestion(
  question: DocumentQuestion,
  model: ModelCaller,
  deps: Pick<JudgeDeps, "random" | "signal" | "stored">,
): Promise<DocumentFinding | string> {
  const replies = await repliesTo(question, model, deps);
  if (!replies.ok) return replies.message;
  const [finding] = replies.replies;
  if (finding === undefined) throw new Error("a question has one vote");
  return finding;
}

function repliesTo(
  { type, subject, candidates }: DocumentQuestion,
  model: ModelCaller,
  deps: Pick<JudgeDeps, "random" | "signal" | "stored">,
): Promise<Replies<DocumentFinding>> {
  const votes = 1;
  switch (type) {
    case "KNOWLEDGE_COVERAGE": {
      const blocks = [block("TASK", subject), ...numbered("PASSAGE", candidates)];
      const accept = (answer: Parameters<typeof getCoverage>[0]) => getCoverage(answer, candidates.length);
      return collectReplies(
        { system: coverageInstructions, blocks, schema: coverageAnswer, votes, accept },
        model,
        deps,
      );
    }
    case "MECE": {
      const [other = { title: "", text: "" }] = candidates;
      const blocks = numbered("PASSAGE", [subject, other]);
      const accept = (answer: Parameters<typeof getComparison>[0]) =>
        getComparison(answer, [toWhole(subject), toWhole(other)]);
      const schema = comparisonAnswer;
      return collectReplies({ system: comparisonInstructions, blocks, schema, votes, accept }, model, deps);
    }
    case "DOCS_TO_TASKS_MAPPING": {
      const blocks = [block("DOCUMENT", subject), ...numbered("TASK", candidates)];
      const accept = (answer: Parameters<typeof getMapping>[0]) => getMapping(answer, candidates.length);
      return collectReplies({ system: mappingInstructions, blocks, schema: mappingAnswer, votes, accept }, model, deps);
    }
    default:
      return type satisfies never;
  }
}

const toWhole = ({ title, text }: Text) => `${title}\n\n${text}`;

const block = (name: string, text: Text): Block => cutBlock(name, toWhole(text)).block;

const numbered = (name: string, texts: readonly Text[]) =>
  texts.map((text, index) => block(`${name} ${index + 1}`, text));
