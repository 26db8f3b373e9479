// Definitions, tags and results in a task's answer, and filters of the list by them.

import { expect, test } from "vitest";
import { noResults } from "../harness/no-results.ts";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const put = (path: string, json: unknown) => api.send("PUT", path, { json });
const words = { title: "Block a card", description: "The card was stolen." };

test("a linked definition shows in its task: with its settings, and flat in the list, with tags", async () => {
  const { task } = (await api.post("/v0/tasks", { ...words, title: "linked to definitions" })).body;
  const globalConfig = { type: "list", matchMode: "exact_unordered" };
  const definition = (await api.post("/v0/definitions", { type: "OUTPUT_MATCH", name: "Equal", globalConfig })).body
    .data;
  const plain = (await api.post("/v0/definitions", { type: "RECALL", name: "Recall" })).body.data;
  const tag = (await api.post("/v0/tags", { name: "shown" })).body.data;
  const link = { taskIds: [task.id], evalIds: [definition.id], config: { expected: ["a", "b"] } };
  await api.post("/v0/definitions/link", link);
  await api.post("/v0/definitions/link", { taskIds: [task.id], evalIds: [plain.id] });
  await put(`/v0/tasks/${task.id}/tags`, { tagIds: [tag.id] });
  const evalDefinitions = [
    { evalDefinition: definition, config: { expected: ["a", "b"] } },
    { evalDefinition: plain, config: null },
  ];
  expect((await api.get(`/v0/tasks/${task.id}`)).body.task).toMatchObject({ evalDefinitions });
  expect((await put(`/v0/tasks/${task.id}`, { isVerified: true })).body.task).toMatchObject({ evalDefinitions });
  const [listed] = (await api.get(`/v0/tasks?evalDefinitionId=${definition.id}`)).body.data;
  expect(listed).toEqual({
    ...task,
    breakdown: undefined,
    isVerified: true,
    modifiedAt: expect.any(String),
    evalDefinitions: [definition, plain],
    combined: noResults,
    tags: [{ id: tag.id, color: tag.color, name: tag.name }],
  });
  await api.post("/v0/definitions/unlink", { taskIds: [task.id], evalIds: [definition.id, plain.id] });
  expect((await api.get(`/v0/tasks/${task.id}`)).body.task.evalDefinitions).toEqual([]);
});

test("recorded results are measured at once, and the list is filtered and ordered by them", async () => {
  const evalId = (
    await api.post("/v0/definitions", { type: "CUSTOM", name: "Polite", globalConfig: { criterion: "c" } })
  ).body.data.id;
  const newTask = async (title: string) => (await api.post("/v0/tasks", { ...words, title })).body.task.id;
  const [good, bad, none] = [
    await newTask("measured good"),
    await newTask("measured bad"),
    await newTask("measured none"),
  ];
  const test = (taskId: string, passed: boolean) => ({
    taskId,
    passed,
    score: passed ? 1 : 0,
    status: "COMPLETED",
    evaluations: [{ definitionId: evalId, passed, score: passed ? 1 : 0, status: "COMPLETED" }],
  });
  await api.post("/v0/tests/results", { tests: Array.from({ length: 40 }, () => test(good, true)) });
  await api.post("/v0/tests/results", { run: { type: "MONITORING" }, tests: [test(good, true), test(bad, false)] });
  const { task } = (await api.get(`/v0/tasks/${good}`)).body;
  const live = { tests: 1, testsPassed: 1, evaluations: 1, passed: 1, passRate: 100, healthScore: null };
  const made = { tests: 40, testsPassed: 40, evaluations: 40, passed: 40, passRate: 100, healthScore: 100 };
  expect(task).toMatchObject({ monitoring: live, synthetic: made, monitoringPassRate: 100, passRate: 100 });
  expect(task.synthetic).toMatchObject({ stability: { level: "HIGH", stddev: 0 }, confidence: { level: "HIGH" } });
  expect(Date.parse(task.lastTest)).toBeGreaterThan(Date.now() - 600_000);
  const named = { evalDefinitionId: evalId, evalDefinitionName: "Polite" };
  expect(task.breakdown).toEqual({
    monitoring: [{ ...named, metrics: expect.objectContaining(live) }],
    synthetic: [{ ...named, metrics: expect.objectContaining(made) }],
  });
  const found = async (query: string) =>
    (await api.get(`/v0/tasks?search=measured&${query}`)).body.data.map(({ id }: { id: string }) => id);
  for (const [query, expected] of [
    ["status=success", [good]],
    ["status=error,no-tests", [none, bad]],
    ["status=no-tests,DRAFT", []],
    ["status=success&status=ACTIVE", [good]],
    ["confidenceLevel=HIGH", [good]],
    ["confidenceLevel=LOW,MEDIUM", [none, bad]],
    ["stabilityLevel=HIGH", [good]],
    ["healthScoreLevel=HIGH,MEDIUM,LOW", [good]],
    ["healthScoreLevel=&confidenceLevel=&stabilityLevel=&scheduleCriticality=", [none, bad, good]],
    ["scheduleCriticality=LOW", []],
    ["orderBy=lastTest&orderDir=asc&limit=1", [none]],
  ] as const) {
    expect([query, await found(query)]).toEqual([query, expected]);
  }
  const { body } = await api.get(
    "/v0/tasks?confidenceLevel=A&healthScoreLevel=B&stabilityLevel=C&scheduleCriticality=D",
  );
  expect(body.issues.map(({ path }: { path: string[] }) => path.join(".")).sort()).toEqual([
    ...["confidenceLevel.0", "healthScoreLevel.0", "scheduleCriticality.0", "stabilityLevel.0"],
  ]);
});

/** Measures of `tests` tests, of which `passed` passed with a score of 1 and the others failed with 0. */
function getMeasures(tests: number, passed: number) {
  const [rate, z] = [passed / tests, 1.959963984540054];
  const half = (100 * z * Math.sqrt((rate * (1 - rate)) / tests + z ** 2 / (4 * tests ** 2))) / (1 + z ** 2 / tests);
  const stddev = tests < 2 ? null : Math.sqrt((passed * (tests - passed)) / (tests * (tests - 1)));
  const points = { HIGH: 100, MEDIUM: 50, LOW: 0 };
  const level = (value: number | null, high: number, medium: number): keyof typeof points =>
    value === null || value > medium ? "LOW" : value > high ? "MEDIUM" : "HIGH";
  const [confidence, stability] = [level(half, 5, 15), level(stddev, 0.1, 0.25)] as const;
  const health = confidence === "LOW" ? null : 60 * rate + 0.2 * points[confidence] + 0.2 * points[stability];
  return { passRate: 100 * rate, half, stddev, confidence, stability, health };
}

test("confidence, stability and health are those of the results that are there, at every moment while others arrive", async () => {
  const settings = { type: "CUSTOM", name: "At once", globalConfig: { criterion: "c" } };
  const definitionId = (await api.post("/v0/definitions", settings)).body.data.id;
  const { id } = (await api.post("/v0/tasks", { ...words, title: "at once" })).body.task;
  const [writers, batches, size] = [6, 8, 5];
  const write = async (writer: number) => {
    for (let batch = 0; batch < batches; batch++) {
      const tests = Array.from({ length: size }, (_, at) => {
        const passed = (writer + batch * at) % 7 !== 0;
        const result = { passed, score: passed ? 1 : 0, status: "COMPLETED" };
        return { taskId: id, ...result, evaluations: [{ definitionId, ...result }] };
      });
      const { status, body } = await api.post("/v0/tests/results", { tests });
      expect(status, JSON.stringify(body)).toBe(201);
    }
  };
  const seen: number[] = [];
  const read = async () => {
    const { synthetic } = (await api.get(`/v0/tasks/${id}`)).body.task;
    const { tests, testsPassed } = synthetic;
    seen.push(tests);
    // All tests of a request become visible at once.
    expect([tests % size, synthetic.evaluations, synthetic.passed]).toEqual([0, tests, testsPassed]);
    if (tests === 0) return;
    const expected = getMeasures(tests, testsPassed);
    expect(synthetic.passRate).toBeCloseTo(expected.passRate, 9);
    expect(synthetic.confidence.halfWidth).toBeCloseTo(expected.half, 9);
    expect(synthetic.stability.stddev).toBeCloseTo(expected.stddev ?? 0, 9);
    expect([synthetic.confidence.level, synthetic.stability.level]).toEqual([expected.confidence, expected.stability]);
    if (expected.health === null) expect(synthetic.healthScore).toBeNull();
    else expect(synthetic.healthScore).toBeCloseTo(expected.health, 9);
  };
  let isWriting = true;
  const reading = (async () => {
    while (isWriting) await read();
  })();
  try {
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  } finally {
    isWriting = false;
  }
  await reading;
  await read();
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(writers * batches * size);
});
