// Builds the results of a document test from its answers. Pure.

import type { DocumentTestRow } from "./entity.ts";
import type { AnsweredQuestion, FoundContradiction, Named, Plan, Results } from "./question.ts";

export interface Outcome {
  readonly status: "COMPLETED" | "FAILED";
  readonly message: string | null;
  readonly results: Results;
  readonly meceMeanOverlap: number | null;
  readonly meceMeanContradictions: number | null;
}

/** Two documents that were compared. */
export interface ComparedPair {
  readonly documentA: Named;
  readonly documentB: Named;
  /** Overlap of the two passages that overlap most. */
  readonly overlap: number;
  readonly reasoning: string;
  readonly contradictions: readonly FoundContradiction[];
}

/** A stored contradiction, new or found by an earlier test. */
export interface StoredContradiction extends FoundContradiction {
  readonly id: string;
  readonly quickstartId: string;
}

const reasoningLengthMax = 1_000;
const messageLengthMax = 1_000;

/** Builds the outcome of a test. `getContradictions` returns the stored contradictions of a compared pair. */
export function buildOutcome(
  type: DocumentTestRow["type"],
  plan: Plan,
  questions: readonly AnsweredQuestion[],
  getContradictions: (pair: ComparedPair) => readonly StoredContradiction[],
): Outcome {
  const pairs = type === "MECE" ? comparedPairs(plan, questions) : [];
  const unanswered = questions.flatMap(({ subject: { id, title }, message }) =>
    message === null ? [] : [{ subject: { id, title }, message }],
  );
  const results = {
    ...(type === "KNOWLEDGE_COVERAGE" && coverage(plan, questions)),
    ...(type === "DOCS_TO_TASKS_MAPPING" && mapping(plan, questions)),
    ...(type === "MECE" && { pairs: pairs.map((pair) => toPairResult(pair, getContradictions(pair))) }),
    ...(unanswered.length > 0 && { unanswered }),
    scope: plan.scope,
  };
  const [first] = unanswered;
  return {
    status: first === undefined ? "COMPLETED" : "FAILED",
    message: first === undefined ? null : failure(first.message, unanswered.length, questions.length),
    results,
    meceMeanOverlap: type === "MECE" ? mean(pairs.map(({ overlap }) => overlap)) : null,
    meceMeanContradictions: type === "MECE" ? mean(pairs.map(({ contradictions }) => contradictions.length)) : null,
  };
}

/** Returns the compared pairs of documents, most overlapping first. */
export function comparedPairs({ documents }: Plan, questions: readonly AnsweredQuestion[]): ComparedPair[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const groups = Map.groupBy(questions, ({ subject, candidates }) => [subject.id, candidates[0]?.id].sort().join());
  const pairs = [...groups.values()].flatMap((group): ComparedPair[] => {
    const answers = group.flatMap(({ answer }) => answer ?? []);
    const [best] = answers.toSorted((a, b) => b.score - a.score);
    const [first] = group;
    const documentA = byId.get(first?.subject.id ?? "");
    const documentB = byId.get(first?.candidates[0]?.id ?? "");
    if (best === undefined || documentA === undefined || documentB === undefined) return [];
    const { score: overlap, reasoning } = best;
    const contradictions = group.flatMap(({ subject, answer }) =>
      (answer?.contradictions ?? []).map((contradiction) =>
        subject.id === documentA.id ? contradiction : swapped(contradiction),
      ),
    );
    return [{ documentA, documentB, overlap, reasoning, contradictions }];
  });
  return pairs.toSorted((a, b) => b.overlap - a.overlap);
}

const swapped = ({ reason, passageA, passageB }: FoundContradiction) => ({
  reason,
  passageA: passageB,
  passageB: passageA,
});

function coverage({ documents }: Plan, questions: readonly AnsweredQuestion[]): Results {
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  const results = questions.flatMap(({ subject: { id, title }, candidates, answer }) => {
    if (answer === null) return [];
    const ids = new Set(answer.matches.flatMap((index) => candidates[index]?.id ?? []));
    const matchedDocuments = [...ids].map((documentId) => ({ id: documentId, title: titles.get(documentId) ?? "" }));
    return [{ task: { id, title }, coverage: answer.score, reasoning: shortened(answer.reasoning), matchedDocuments }];
  });
  const matched = new Set(results.flatMap(({ matchedDocuments }) => matchedDocuments.map(({ id }) => id)));
  return {
    score: mean(results.map((result) => result.coverage)),
    results,
    unmappedDocuments: documents.filter(({ id }) => !matched.has(id)),
  };
}

function mapping({ tasks: all }: Plan, questions: readonly AnsweredQuestion[]): Results {
  const documents = questions.flatMap(({ subject: { id, title }, candidates, answer }) => {
    if (answer === null) return [];
    const served = new Map(answer.matches.flatMap((index) => candidates[index] ?? []).map((task) => [task.id, task]));
    const tasks = [...served.values()].map((task) => ({ id: task.id, title: task.title }));
    return [{ document: { id, title }, tasks, reasoning: shortened(answer.reasoning) }];
  });
  const served = new Set(documents.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  return {
    documents,
    documentsWithoutTasks: documents.filter(({ tasks }) => tasks.length === 0).map(({ document }) => document),
    tasksWithoutDocuments: all.filter(({ id }) => !served.has(id)),
  };
}

function toPairResult(
  { documentA, documentB, overlap, reasoning }: ComparedPair,
  contradictions: readonly StoredContradiction[],
) {
  const listed = contradictions.map(({ id, quickstartId, reason }) => ({
    id,
    quickstartId,
    reason: shortened(reason),
  }));
  return { documentA, documentB, overlap, reasoning: shortened(reasoning), contradictions: listed };
}

function failure(message: string, unanswered: number, total: number): string {
  const questions = total === 1 ? "1 question has" : `${total} questions have`;
  const whole = unanswered === total ? message : `${message} (${unanswered} of ${questions} no answer)`;
  return whole.slice(0, messageLengthMax);
}

const shortened = (text: string) => text.slice(0, reasoningLengthMax).toWellFormed();

/** Returns the mean; null if there are no values. */
function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
