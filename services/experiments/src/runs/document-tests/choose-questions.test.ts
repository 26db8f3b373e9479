import { expect, test } from "vitest";
import { chooseQuestions, type Sources } from "./choose-questions.ts";
import type { Candidate } from "./question.ts";
import { SimilarTexts } from "./similar.ts";

const listWords = (texts: readonly Candidate[]) => {
  const similar = new SimilarTexts();
  for (const { title, text } of texts) similar.add(`${title}\n${text}`);
  return similar;
};

function buildSources(passages: readonly Candidate[], tasks: readonly Candidate[] = []): Sources {
  const ids = [...new Set(passages.map(({ id }) => id))];
  return {
    passages,
    tasks,
    passageWords: listWords(passages),
    taskWords: listWords(tasks),
    documents: ids.map((id) => ({ id, title: `Document ${id}` })),
    scope: {
      documents: { tested: ids.length, total: ids.length },
      passages: { tested: passages.length, total: passages.length },
      tasks: { tested: tasks.length, total: tasks.length },
    },
  };
}

const passage = (id: string, text: string): Candidate => ({ id, title: id, text });
const many = (count: number, make: (at: number) => Candidate) => Array.from({ length: count }, (_, at) => make(at));
const chosen = async (...args: Parameters<typeof chooseQuestions>) => {
  const found = await chooseQuestions(...args);
  if (typeof found === "string") throw new Error(found);
  return found;
};

test("a task is compared with the twelve most similar passages", async () => {
  const passages = many(30, (at) =>
    passage(`d${at}`, at === 20 ? "cards are blocked by phone" : `rates of month ${at}`),
  );
  const task = { id: "t", title: "Block a card", text: "Customers whose cards were stolen have them blocked" };
  const { questions, plan } = await chosen("KNOWLEDGE_COVERAGE", buildSources(passages, [task]));
  expect(questions).toHaveLength(1);
  expect(questions[0]?.subject).toEqual(task);
  expect(questions[0]?.candidates).toHaveLength(12);
  expect(questions[0]?.candidates[0]?.id).toBe("d20");
  expect(plan.scope.tasks).toEqual({ tested: 1, total: 1 });
});

test("a document's text is compared with tasks as one text", async () => {
  const passages = [passage("d", "first"), passage("d", "second"), passage("e", "other")];
  const tasks = many(20, (at) => ({ id: `t${at}`, title: `Task ${at}`, text: at === 15 ? "second" : "none" }));
  const { questions } = await chosen("DOCS_TO_TASKS_MAPPING", buildSources(passages, tasks));
  expect(questions.map(({ subject }) => subject.text)).toEqual(["first\n\nsecond", "other"]);
  expect(questions[0]?.candidates[0]?.id).toBe("t15");
});

test("passages of one document are not compared, and of two documents at most three pairs are", async () => {
  const same = (id: string) => many(5, (at) => passage(id, `fees of cards, paragraph ${at}`));
  const { questions, plan } = await chosen("MECE", buildSources([...same("a"), ...same("b")]));
  expect(questions.map(({ subject, candidates }) => [subject.id, candidates[0]?.id])).toEqual(
    Array.from({ length: 3 }, () => ["a", "b"]),
  );
  expect(plan.scope.pairs).toEqual({ tested: 3, total: 25 });
});

test.each(["KNOWLEDGE_COVERAGE", "MECE", "DOCS_TO_TASKS_MAPPING"] as const)(
  "%s of thousands of passages asks at most 300 questions and reports the total",
  async (type) => {
    const passages = many(4_000, (at) => passage(`d${at % 500}`, `word${at % 90} word${at % 700} word${at}`));
    const tasks = many(400, (at) => ({ id: `t${at}`, title: `Task ${at}`, text: `word${at}` }));
    const { questions, plan } = await chosen(type, buildSources(passages, tasks));
    expect(questions).toHaveLength(300);
    const limited = {
      KNOWLEDGE_COVERAGE: plan.scope.tasks,
      MECE: plan.scope.pairs,
      DOCS_TO_TASKS_MAPPING: plan.scope.documents,
    };
    expect(limited[type]?.tested).toBe(300);
    expect(limited[type]?.total).toBeGreaterThan(300);
  },
);

test("missing documents or tasks are reported as the reason", async () => {
  expect(await chooseQuestions("MECE", buildSources([]))).toMatch(/^no_documents: /);
  const documents = [passage("a", "fees")];
  expect(await chooseQuestions("KNOWLEDGE_COVERAGE", buildSources(documents))).toMatch(/^no_tasks: /);
  expect((await chosen("MECE", buildSources(documents))).questions).toEqual([]);
});
