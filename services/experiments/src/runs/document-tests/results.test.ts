import { expect, test } from "vitest";
import { type EarlierContradiction, findContradictions } from "./new-contradictions.ts";
import type { Answer, AnsweredQuestion, Plan } from "./question.ts";
import { buildOutcome, comparedPairs } from "./results.ts";

const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, title: `Document ${id}` }));
const tasks = ["t", "u"].map((id) => ({ id, title: `Task ${id}` }));
const scope = { documents: { tested: 3, total: 3 }, passages: { tested: 3, total: 3 } };
const plan = { documents: [a, b, c], tasks, scope } as Plan;
const candidate = (id: string) => ({ id, title: `Heading of ${id}`, text: "text" });
const answer = (more: Partial<Answer>): Answer => ({
  score: 0,
  reasoning: "why",
  matches: [],
  contradictions: [],
  ...more,
});
const question = (
  subject: string,
  candidates: string[],
  more: Partial<Answer> | null,
  message: string | null = null,
) => ({
  subject: { ...candidate(subject), title: `Task ${subject}` },
  candidates: candidates.map(candidate),
  answer: more && answer(more),
  message,
});
const none = () => [];

test("coverage: the mean of the tasks, each with its matching documents, and documents that match no task", () => {
  const questions = [
    question("t", ["a", "a", "b"], { score: 1, matches: [0, 1] }),
    question("u", ["b", "c"], { score: 0.5, matches: [1] }),
  ];
  expect(buildOutcome("KNOWLEDGE_COVERAGE", plan, questions, none)).toEqual({
    status: "COMPLETED",
    message: null,
    meceMeanOverlap: null,
    meceMeanContradictions: null,
    results: {
      score: 0.75,
      results: [
        { task: tasks[0], coverage: 1, reasoning: "why", matchedDocuments: [a] },
        { task: tasks[1], coverage: 0.5, reasoning: "why", matchedDocuments: [c] },
      ],
      unmappedDocuments: [b],
      scope,
    },
  });
});

test("mapping: the tasks of each document, and documents and tasks without a match", () => {
  const questions = [question("a", ["t", "u"], { matches: [1] }), question("b", ["t", "u"], {})];
  const { results } = buildOutcome("DOCS_TO_TASKS_MAPPING", plan, questions, none);
  expect(results).toMatchObject({
    documents: [{ tasks: [{ id: "u" }] }, { tasks: [] }],
    documentsWithoutTasks: [{ id: "b" }],
    tasksWithoutDocuments: [{ id: "t" }],
  });
});

test("an unanswered question fails the test, which keeps the other results", () => {
  const questions = [question("t", ["a"], { score: 1, matches: [0] }), question("u", ["a"], null, "model_refused: no")];
  const outcome = buildOutcome("KNOWLEDGE_COVERAGE", plan, questions, none);
  expect(outcome).toMatchObject({
    status: "FAILED",
    message: "model_refused: no (1 of 2 questions have no answer)",
    results: { score: 1, unanswered: [{ subject: { id: "u" }, message: "model_refused: no" }] },
  });
  const all = buildOutcome("KNOWLEDGE_COVERAGE", plan, questions.slice(1), none);
  expect(all).toMatchObject({ status: "FAILED", message: "model_refused: no", results: { score: null } });
});

const found = { reason: "fees differ", passageA: "no fee", passageB: "5 euros" };

test("MECE: two documents have the overlap of their most overlapping passages and the contradictions of all", () => {
  const questions: AnsweredQuestion[] = [
    question("a", ["b"], { score: 0.2, contradictions: [found] }),
    question("b", ["a"], { score: 0.6, contradictions: [found] }),
    question("a", ["c"], { score: 0.1 }),
  ];
  const pairs = comparedPairs(plan, questions);
  expect(pairs).toMatchObject([
    { documentA: a, documentB: b, overlap: 0.6 },
    { documentA: a, documentB: c, overlap: 0.1, contradictions: [] },
  ]);
  // Passages are in the same order as the pair's documents.
  expect(pairs[0]?.contradictions).toEqual([found, { reason: "fees differ", passageA: "5 euros", passageB: "no fee" }]);
  const { meceMeanOverlap, meceMeanContradictions } = buildOutcome("MECE", plan, questions, none);
  expect([meceMeanOverlap, meceMeanContradictions]).toEqual([0.35, 1]);
  expect(buildOutcome("MECE", plan, [], none)).toMatchObject({
    status: "COMPLETED",
    meceMeanOverlap: null,
    results: { pairs: [] },
  });
});

const earlier = (more: Partial<EarlierContradiction>): EarlierContradiction => ({
  id: "earlier",
  quickstartId: "q",
  documentAId: "b",
  documentBId: "a",
  resolved: false,
  reason: "fees differ",
  passageA: "5 euros",
  passageB: "no fee",
  ...more,
});
const other = { reason: "hours differ", passageA: "nine", passageB: "ten" };

test.each<[string, EarlierContradiction[], (typeof found)[], string[]]>([
  ["no earlier ones: all are new, each pair of passages once", [], [found, other, found], ["new", "new"]],
  ["an unresolved one: no other is created", [earlier({})], [found, other], ["earlier"]],
  ["an unresolved one of other passages: no other is created", [earlier({ passageA: "x" })], [found], ["earlier"]],
  ["a resolved one: the same passages create none", [earlier({ resolved: true })], [found, other], ["earlier", "new"]],
  ["one of other documents has no effect", [earlier({ documentAId: "c" })], [found], ["new"]],
  ["nothing found: nothing stored", [earlier({})], [], []],
])("contradictions with %s", (_, before, contradictions, expected) => {
  const [pair] = comparedPairs(plan, [question("a", ["b"], { contradictions })]);
  if (pair === undefined) throw new Error("no pair");
  const stored = findContradictions(pair, before, () => ({ id: "new", quickstartId: "q" }));
  expect(
    stored.map((contradiction) => ("created" in contradiction ? contradiction.created.id : contradiction.earlier.id)),
  ).toEqual(expected);
});
