// Document tests from trigger to end, with the scripted model: the texts determine the findings.

import type { ModelServer } from "@ems/test-support/model-server";
import { expect, test } from "vitest";
import type { ProductFacts } from "../harness/product.ts";
import { newTenant } from "../harness/tenant.ts";

interface Started {
  readonly facts: ProductFacts;
  readonly models: ModelServer;
}

const limitMs = 120_000;
const texts = {
  Fees: "Accounts cost 5 euros a month. Everybody may open accounts.",
  Prices: "Accounts cost 9 euros a month. Everybody may open accounts.",
  Branches: "Branches open at nine.",
};
const tasks = [
  { title: "Opening hours", description: "When do branches open?" },
  { title: "Prices", description: "What do accounts cost?" },
  { title: "Mortgages", description: "Who receives mortgages?" },
];

/** Declares the tests; `started` returns the product once it runs. */
export function testDocuments(started: () => Started): void {
  test("tests of documents find what the texts say, wait for a budget, and are charged", {
    timeout: limitMs,
  }, async () => {
    const { facts, models } = started();
    const { api } = await newTenant({}, facts);
    const made = async (path: string, json: object) => {
      const { status, body } = await api.post(path, json);
      if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return body.data ?? body.document ?? body.task;
    };
    await made("/v0/model-connections", {
      name: "Judge",
      provider: "openai-compatible",
      baseUrl: models.url,
      model: "judge-1",
      apiKey: "sk-of-documents",
      prices: { inputPerMillion: 1, outputPerMillion: 2 },
    });
    const ids = new Map<string, string>();
    for (const [title, content] of Object.entries(texts)) {
      const status = title === "Fees" ? "ACTIVE" : "APPROVED";
      ids.set(title, (await made("/v0/documents", { title, content, status })).id);
    }
    await made("/v0/documents", { title: "Draft", content: "Mortgages are received by everybody." });
    for (const task of tasks) await made("/v0/tasks", task);
    const named = (title: string) => ({ id: ids.get(title), title });
    const settings = (tokens: number | null) =>
      api.send("PUT", "/v0/evaluation-settings", { json: { budgets: { day: { tokens } } } });

    const read = async (id: string) => (await api.get(`/v0/documents/tests/${id}`)).body.data;
    const ended = async (id: string) => {
      const isOver = async () => ["COMPLETED", "FAILED"].includes((await read(id)).status);
      await expect.poll(isOver, { timeout: limitMs }).toBe(true);
      const test = await read(id);
      expect([test.status, test.message]).toEqual(["COMPLETED", null]);
      return test;
    };
    const run = async (type: string) => ended((await made("/v0/documents/tests/trigger", { type })).id);

    // No call fits the budget: the test reports this, and continues once the budget is raised.
    expect((await settings(1)).status).toBe(200);
    const { id } = await made("/v0/documents/tests/trigger", { type: "KNOWLEDGE_COVERAGE" });
    await expect.poll(async () => (await read(id)).waitingFor, { timeout: limitMs }).toBe("budget");
    const second = await api.post("/v0/documents/tests/trigger", { type: "KNOWLEDGE_COVERAGE" });
    expect([second.status, second.body.message]).toEqual([409, expect.stringContaining(id)]);
    expect((await settings(null)).status).toBe(200);
    const coverage = await ended(id);
    // "Opening hours" is a sentence of the task's text as well, and no passage has any of its words.
    const found = coverage.results.results.map((each: { task: { title: string }; coverage: number }) => [
      each.task.title,
      each.coverage,
    ]);
    expect(found).toEqual([
      ["Opening hours", 0.5],
      ["Prices", 1],
      ["Mortgages", 0],
    ]);
    expect(coverage.results).toMatchObject({
      score: 0.5,
      results: [{ matchedDocuments: [named("Branches")] }, {}, { matchedDocuments: [] }],
      unmappedDocuments: [],
      scope: { documents: { tested: 3, total: 3 }, passages: { tested: 3, total: 3 }, tasks: { tested: 3, total: 3 } },
    });

    const mece = await run("MECE");
    const [first] = mece.results.pairs;
    expect(first).toMatchObject({ documentA: named("Fees"), documentB: named("Prices") });
    // One of three sentences overlaps; the title counts as a sentence.
    expect(first.overlap).toBeCloseTo(1 / 3, 9);
    expect(first.contradictions).toMatchObject([{ quickstartId: mece.quickstartId, reason: "The numbers differ" }]);
    const contradictions = async () => (await api.get(`/v0/quickstarts/${mece.quickstartId}/contradictions`)).body.data;
    const stored = await contradictions();
    expect(stored).toMatchObject([
      {
        id: first.contradictions[0].id,
        documentTestId: mece.id,
        documentAId: ids.get("Fees"),
        passageA: "Accounts cost 5 euros a month.",
        passageB: "Accounts cost 9 euros a month.",
      },
    ]);
    const repeated = await run("MECE");
    expect([repeated.results.pairs[0].contradictions, await contradictions()]).toEqual([first.contradictions, stored]);

    const mapping = await run("DOCS_TO_TASKS_MAPPING");
    const served = mapping.results.documents.map((each: { document: object; tasks: { title: string }[] }) => [
      each.document,
      each.tasks.map(({ title }) => title),
    ]);
    expect(served).toEqual([
      [named("Fees"), ["Prices"]],
      [named("Prices"), ["Prices"]],
      [named("Branches"), ["Opening hours"]],
    ]);
    expect(mapping.results).toMatchObject({
      documentsWithoutTasks: [],
      tasksWithoutDocuments: [{ title: "Mortgages" }],
    });
    const { spent } = (await api.get("/v0/evaluation-settings")).body.data;
    expect(spent.day.tokens).toBeGreaterThan(0);
  });
}
