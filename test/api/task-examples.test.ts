import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();
const put = (path: string, json: unknown) => api.send("PUT", path, { json });
const words = { title: "Fees", description: "What cards cost." };
const examples = [
  { input: "What does a card cost?", expected: ["5 euros", "5 \u20ac"], metadata: { locale: "en", ids: [1, null] } },
  { input: "And abroad?" },
  { input: "And a new one?", expected: "10 euros" },
];
const inputs = examples.map(({ input }) => input);

test("examples are created, returned, listed and replaced with their expectations and metadata", async () => {
  const { status, body } = await api.post("/v0/tasks", { ...words, type: "STATIC", examples });
  expect(status).toBe(201);
  expect(body.task).toMatchObject({ prompts: inputs, inputExamples: inputs });
  expect(body.task.examples).toEqual(examples);
  const path = `/v0/tasks/${body.task.id}`;
  expect((await api.get(path)).body.task.examples).toEqual(examples);
  expect((await api.get("/v0/tasks?search=Fees")).body.data[0].examples).toEqual(examples);

  const reordered = (await put(path, { inputExamples: [inputs[2], "New?", inputs[0]] })).body.task;
  expect(reordered.examples).toEqual([examples[2], { input: "New?" }, examples[0]]);
  const replaced = (await put(path, { examples: [{ input: "Only?", metadata: { a: 1 } }] })).body.task;
  expect(replaced).toMatchObject({ prompts: ["Only?"], examples: [{ input: "Only?", metadata: { a: 1 } }] });
});

test("examples with inputExamples or prompts are 400; an empty list of those counts as not sent", async () => {
  const { id } = (await api.post("/v0/tasks", { ...words, examples })).body.task;
  const alone = "inputExamples and prompts are the inputs of examples: send only one of them";
  for (const more of [{ inputExamples: inputs }, { prompts: inputs }]) {
    const created = await api.post("/v0/tasks", { ...words, examples, ...more });
    expect([created.status, created.body.issues[0].message]).toEqual([400, alone]);
    const changed = await put(`/v0/tasks/${id}`, { examples, ...more });
    expect([changed.status, changed.body.issues[0].message]).toEqual([400, alone]);
  }
  for (const more of [{ inputExamples: [] }, { prompts: [] }]) {
    expect((await api.post("/v0/tasks", { ...words, examples, ...more })).status).toBe(201);
    const changed = await put(`/v0/tasks/${id}`, { examples, ...more });
    expect([changed.status, changed.body.task.inputExamples]).toEqual([200, inputs]);
  }
});

test("each issue has the path of its example", async () => {
  const issues = async (example: object) => {
    const { status, body } = await api.post("/v0/tasks", { ...words, examples: [{ input: "a" }, example] });
    expect(status).toBe(400);
    return body.issues.map(({ path }: { path: string[] }) => path.join("."));
  };
  expect(await issues({})).toEqual(["examples.1.input"]);
  expect(await issues({ input: "" })).toEqual(["examples.1.input"]);
  expect(await issues({ input: "x".repeat(10_001) })).toEqual(["examples.1.input"]);
  expect(await issues({ input: "a", other: 1 })).toEqual(["examples.1.other"]);
  expect(await issues({ input: "a", expected: 4 })).toEqual(["examples.1.expected"]);
  expect(await issues({ input: "a", expected: "x".repeat(65_535) })).toEqual(["examples.1.expected"]);
  expect(await issues({ input: "a", metadata: [] })).toEqual(["examples.1.metadata"]);
  expect(await issues({ input: "a", metadata: { a: "x".repeat(65_530) } })).toEqual(["examples.1.metadata"]);
});

test("a task has at most 10,000 examples; examples of more than 1 MiB come by an import", async () => {
  const many = Array.from({ length: 10_001 }, (_, at) => ({ input: `${at}` }));
  expect((await api.post("/v0/tasks", { ...words, examples: many.slice(1) })).status).toBe(201);
  expect((await api.post("/v0/tasks", { ...words, examples: many })).body.issues[0]).toMatchObject({
    code: "too_big",
    path: ["examples"],
  });
  const large = Array.from({ length: 30 }, (_, at) => ({ input: `${at}`, expected: "x".repeat(50_000) }));
  expect((await api.post("/v0/tasks", { ...words, examples: large })).status).toBe(413);
  const content = JSON.stringify({ ...words, examples: large });
  const imported = await api.post("/v0/tasks/import", { format: "JSONL", content });
  expect([imported.status, imported.body.created]).toEqual([200, 1]);
  expect((await api.get(`/v0/tasks/${imported.body.taskIds[0]}`)).body.task.examples).toEqual(large);
});
