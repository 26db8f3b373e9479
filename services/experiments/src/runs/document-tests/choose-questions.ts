// Selects the questions of a document test. Pure, except for pauses.

import { documentTestCandidatesMax, documentTestQuestionsMax } from "@ems/proto/limits";
import type { DocumentTestRow } from "./entity.ts";
import type { Candidate, Named, Plan, Question, Scope } from "./question.ts";
import type { SimilarTexts } from "./similar.ts";

/** Content of the application that the test reads. */
export interface Sources {
  /** Passages of documents, with the document's id as their id. */
  readonly passages: readonly Candidate[];
  readonly documents: readonly Named[];
  readonly tasks: readonly Candidate[];
  readonly passageWords: SimilarTexts;
  readonly taskWords: SimilarTexts;
  readonly scope: Omit<Scope, "pairs">;
}

export interface Chosen {
  readonly questions: readonly Question[];
  readonly plan: Plan;
}

/** Maximum number of characters of one document that a model reads. */
const documentLengthMax = 20_000;
/** Maximum number of passage pairs that are compared per pair of documents. */
const pairsOfDocumentsMax = 3;

/** Returns the questions, or the reason why there are none. */
export async function chooseQuestions(type: DocumentTestRow["type"], sources: Sources): Promise<Chosen | string> {
  if (sources.documents.length === 0) return "no_documents: The application has no APPROVED or ACTIVE document";
  if (type === "MECE") return comparisons(sources);
  if (sources.tasks.length === 0) return "no_tasks: The application has no ACTIVE task";
  return type === "KNOWLEDGE_COVERAGE" ? coverage(sources) : mapping(sources);
}

/** Asks for each task about the passages that are most similar to it. */
function coverage(sources: Sources): Chosen {
  const { tasks, passages, passageWords } = sources;
  const chosen = tasks.slice(0, documentTestQuestionsMax);
  const questions = chosen.map((subject) => ({
    subject,
    candidates: pick(passages, passageWords.nearest(formatText(subject), documentTestCandidatesMax)),
  }));
  return { questions, plan: buildPlan(sources, { tasks: chosen }) };
}

/** Asks for each document about the tasks that are most similar to it. */
function mapping(sources: Sources): Chosen {
  const { tasks, taskWords, documents } = sources;
  const chosen = documents.slice(0, documentTestQuestionsMax);
  const passagesByDocument = Map.groupBy(sources.passages, ({ id }) => id);
  const questions = chosen.map((document) => {
    const whole = (passagesByDocument.get(document.id) ?? []).map(({ text }) => text).join("\n\n");
    const subject = { ...document, text: whole.slice(0, documentLengthMax).toWellFormed() };
    return { subject, candidates: pick(tasks, taskWords.nearest(formatText(subject), documentTestCandidatesMax)) };
  });
  return { questions, plan: buildPlan(sources, { documents: chosen }) };
}

/** Asks about pairs of passages from two documents, most similar first. */
async function comparisons(sources: Sources): Promise<Chosen> {
  const { passages, passageWords } = sources;
  const { best, total } = await passageWords.pairs((index) => passages[index]?.id ?? "");
  const pairsByDocuments = new Map<string, number>();
  const questions: Question[] = [];
  for (const { a, b } of best) {
    const [subject, other] = [passages[a], passages[b]];
    if (questions.length === documentTestQuestionsMax) break;
    if (subject === undefined || other === undefined) continue;
    const pair = [subject.id, other.id].sort().join();
    const count = (pairsByDocuments.get(pair) ?? 0) + 1;
    pairsByDocuments.set(pair, count);
    if (count <= pairsOfDocumentsMax) questions.push({ subject, candidates: [other] });
  }
  const plan = buildPlan(sources, {});
  return { questions, plan: { ...plan, scope: { ...plan.scope, pairs: { tested: questions.length, total } } } };
}

function buildPlan({ scope, ...sources }: Sources, chosen: Partial<Pick<Plan, "documents" | "tasks">>): Plan {
  const documents = (chosen.documents ?? sources.documents).map(named);
  const tasks = (chosen.tasks ?? sources.tasks).map(named);
  return {
    documents,
    tasks,
    scope: {
      ...scope,
      documents: { ...scope.documents, tested: documents.length },
      ...(scope.tasks && { tasks: { ...scope.tasks, tested: tasks.length } }),
    },
  };
}

const named = ({ id, title }: Named): Named => ({ id, title });

const formatText = ({ title, text }: Candidate) => `${title}\n${text}`;

const pick = (all: readonly Candidate[], indexes: readonly number[]) => indexes.flatMap((index) => all[index] ?? []);
