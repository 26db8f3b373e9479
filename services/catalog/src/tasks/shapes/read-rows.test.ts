import { readdirSync, readFileSync } from "node:fs";
import { decodeBytes, ReadBudget } from "@ems/kit/readers";
import { expect, test } from "vitest";
import { FaultList } from "../import-faults.ts";
import { type ReadOptions, readRows } from "./read-rows.ts";

async function read(content: string, options: Partial<ReadOptions> = {}) {
  const faults = new FaultList();
  const read = await readRows(
    { format: undefined, mapping: {}, unmappedAsMetadata: false, expandsLists: true, content, ...options },
    faults,
  );
  return { ...read, faults: faults.faults, fields: read.rows.map(({ fields }) => fields) };
}

const question = { prompt: ["2+2"], expected: "4", type: "STATIC" };
const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const messages = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "2+2" },
];
const system = { messages: messages.slice(0, 1) };

test.each<[name: string, shape: string, content: string, fields: object]>([
  [
    "Langfuse",
    "LANGFUSE",
    JSON.stringify([{ id: "a", input: "2+2", expectedOutput: "4", metadata: { lang: "en" }, status: "ACTIVE" }]),
    { ...question, id: "a", metadata: { lang: "en" } },
  ],
  [
    "Langfuse with objects",
    "LANGFUSE",
    lines({ input: { question: "2+2" }, expectedOutput: { answer: "4" } }, {}),
    question,
  ],
  [
    "Langfuse CSV",
    "LANGFUSE",
    'id,input,expectedOutput,metadata\r\na,"{\r\n  ""question"": ""2+2""\r\n}",4,"{""lang"":""en""}"\r\n',
    { ...question, id: "a", metadata: { lang: "en" } },
  ],
  [
    "fine-tuning",
    "OPENAI_FINE_TUNING",
    lines({ messages: [...messages, { role: "assistant", content: "4" }] }),
    { ...question, metadata: system },
  ],
  ["fine-tuning's old form", "OPENAI_FINE_TUNING", lines({ prompt: "2+2", completion: "4" }), question],
  [
    "preferences",
    "OPENAI_FINE_TUNING",
    lines({ input: { messages }, preferred_output: [{ role: "assistant", content: "4" }] }),
    { ...question, metadata: system },
  ],
  [
    "evals with messages",
    "OPENAI_EVALS",
    lines({ input: messages, ideal: ["4", "four"] }),
    { ...question, expected: ["4", "four"], metadata: system },
  ],
  ["evals with a text", "OPENAI_EVALS", lines({ input: "2+2", ideal: "4" }), question],
  ["evals with items", "OPENAI_EVALS", lines({ item: { ticket_text: "2+2", correct_label: "4" } }), question],
  ["evals with usual items", "OPENAI_EVALS", lines({ item: { input: "2+2", ground_truth: "4" } }), question],
  [
    "DeepEval",
    "DEEPEVAL",
    JSON.stringify([{ input: "2+2", expected_output: "4", actual_output: null, context: ["math"], name: null }]),
    { ...question, metadata: { context: ["math"] } },
  ],
  [
    "Ragas",
    "RAGAS",
    lines({ user_input: "2+2", reference: "4", retrieved_contexts: ["math"] }),
    { ...question, metadata: { retrieved_contexts: ["math"] } },
  ],
  [
    "Ragas CSV",
    "RAGAS",
    "question,ground_truth,contexts\n2+2,4,\"['math']\"\n",
    { ...question, metadata: { contexts: ["math"] } },
  ],
  [
    "LangSmith",
    "LANGSMITH",
    lines({ id: "a", inputs: { question: "2+2" }, outputs: { answer: "4" }, metadata: {} }),
    { ...question, id: "a" },
  ],
  ["LangSmith CSV", "LANGSMITH", "inputs.question,outputs.answer\n2+2,4\n", question],
  [
    "Braintrust",
    "BRAINTRUST",
    lines({ id: "a", input: "2+2", expected: "4", tags: ["x"], _xact_id: "1" }),
    { ...question, id: "a", metadata: { tags: ["x"] } },
  ],
  [
    "Phoenix",
    "PHOENIX",
    JSON.stringify({
      data: {
        dataset_id: "d",
        examples: [{ id: "a", input: { question: "2+2" }, output: { answer: "4" }, metadata: {} }],
      },
    }),
    { ...question, id: "a" },
  ],
  ["a table of one's own", "TABLE", "\ufeffsep=;\r\nFrage;Question;ANSWER\r\nx;2+2;4\r\n", question],
  ["a data frame", "TABLE", JSON.stringify({ question: { 0: "2+2", 1: "3" }, answer: { 0: "4", 1: "5" } }), question],
  ["tasks", "TASKS", "Title;PROMPT;Expected\nSum;2+2;4\n", { title: "Sum", prompt: ["2+2"], expected: "4" }],
])("%s", async (_, shape, content, fields) => {
  const found = await read(content);
  expect(found).toMatchObject({ shape, faults: [], waiting: [] });
  expect(found.fields[0]).toEqual(fields);
});

test("columns without a place are listed, or become metadata on request", async () => {
  const content = "question,answer,Region\n2+2,4,EU\n";
  const listed = await read(content);
  expect(listed.columns).toContainEqual({ name: "Region", becomes: "" });
  expect((await read(content, { unmappedAsMetadata: true })).fields).toEqual([
    { ...question, metadata: { Region: "EU" } },
  ]);
});

test("a mapping names columns and paths", async () => {
  const mapping = { Q: "prompt", "meta.sum": "expected", nr: "id", when: "metadata.date" };
  const content = lines({ q: "2+2", meta: { sum: "4" }, nr: 7, when: "now", more: 1 });
  const found = await read(content, { mapping });
  expect(found).toMatchObject({
    shape: "MAPPED",
    faults: [],
    fields: [{ ...question, id: 7, metadata: { date: "now" } }],
  });
  const wrong = await read(content, { mapping: { nowhere: "prompt", q: "colour" } });
  expect(wrong.faults.map(({ field }) => field)).toEqual(["nowhere", "q"]);
});

const answered = (metadata: object) => ({
  examples: [{ input: "2+2", metadata }],
  expected: "4",
  type: "STATIC",
});

test.each<[name: string, shape: string, content: string, metadata: object]>([
  ["OpenAI", "OPENAI_EVALS", lines({ input: "2+2", output: "5", ideal: "4" }), { output: "5" }],
  [
    "DeepEval",
    "DEEPEVAL",
    JSON.stringify([{ input: "2+2", actual_output: "5", expected_output: "4", tools_called: [{ name: "add" }] }]),
    { actual_output: "5", tools_called: [{ name: "add" }] },
  ],
  ["Ragas", "RAGAS", "question,answer,ground_truth\n2+2,5,4\n", { answer: "5" }],
  ["Braintrust", "BRAINTRUST", lines({ input: "2+2", expected: "4", output: { sum: 5 } }), { output: { sum: 5 } }],
  [
    "LangSmith",
    "LANGSMITH",
    lines({ inputs: { q: "2+2" }, outputs: { a: "5" }, reference_outputs: { a: "4" } }),
    { outputs: { a: "5" } },
  ],
  ["LangSmith CSV", "LANGSMITH", "inputs.q,outputs.a,reference_outputs.a\n2+2,5,4\n", { "outputs.a": "5" }],
  ["Phoenix", "PHOENIX", lines({ example_id: "", input: "2+2", output: "5", reference_output: "4" }), { output: "5" }],
  ["a table", "TABLE", "question,answer,expected\n2+2,5,4\n", { answer: "5" }],
])("recorded answers of %s are in the metadata of the examples", async (_, shape, content, metadata) => {
  const found = await read(content);
  expect(found).toMatchObject({ shape, waiting: [], faults: [], fields: [answered(metadata)] });
  const names = Object.keys(metadata);
  expect(found.notes).toEqual([expect.stringContaining(`in the metadata of the examples: ${names.join(", ")}.`)]);
  for (const name of names) expect(found.columns).toContainEqual({ name, becomes: `examples.metadata.${name}` });
});

test("a recorded answer that is too long for metadata is listed, and its row is imported", async () => {
  const found = await read(lines({ input: "2+2", output: "5".repeat(70_000), ideal: "4" }));
  expect(found.fields).toEqual([question]);
  expect(found.waiting).toMatchObject([{ row: 1, field: "output", message: expect.stringContaining("too long") }]);
});

test("a mapping can name the metadata of the examples", async () => {
  const mapping = { q: "prompt", right: "expected", answered: "examples.metadata.output" };
  const found = await read(lines({ q: "2+2", right: "4", answered: "5" }), { mapping });
  expect(found.fields).toEqual([answered({ output: "5" })]);
});

test("blank rows are ignored and counted", async () => {
  expect(await read("title,prompt\na,b\n,\n\n , \nc,d\n")).toMatchObject({ count: 2, blankRows: 3 });
  expect(await read('{"title":"a"}\n\n{}\n{"title":"b"}\n')).toMatchObject({ count: 2, blankRows: 2 });
});

test("a table without a prompt is refused with the names that are known", async () => {
  const { faults, shape } = await read("Frage,Antwort\na,b\n");
  expect(shape).toBeUndefined();
  expect(faults.map(({ field }) => field)).toEqual(["Frage", "Antwort"]);
  expect(faults[0]?.message).toContain("or a mapping");
});

/** Files as the newest releases of the tools write them, with their rows. */
const files: Readonly<Record<string, [shape: string, rows: number, first: object]>> = {
  "braintrust.jsonl": [
    "BRAINTRUST",
    1,
    { id: "a1", prompt: ["2+2"], expected: "4", metadata: { level: 1, tags: ["math"] } },
  ],
  "deepeval-conversations.json": ["DEEPEVAL", 1, { description: "A user wants to return shoes." }],
  "deepeval.csv": ["DEEPEVAL", 2, { metadata: { source_file: "refunds.md", locale: "en" } }],
  "deepeval.json": ["DEEPEVAL", 2, { metadata: { source_file: "refunds.md", locale: "en" } }],
  "excel-german.csv": ["TABLE", 2, { prompt: ['Was kostet "Plus"?'], expected: "5 \u20ac" }],
  "excel-unicode.txt": ["TABLE", 2, { prompt: ['Was kostet "Plus"?'], expected: "5 \u20ac" }],
  "langfuse.csv": ["LANGFUSE", 2, { id: "cm1a", prompt: ["Italy"], expected: "Rome", metadata: { source: "web" } }],
  "langfuse.json": ["LANGFUSE", 2, { id: "cm1a", prompt: ["Italy"], expected: "Rome", metadata: { source: "web" } }],
  "langfuse.jsonl": ["LANGFUSE", 2, { id: "cm1a", prompt: ["Italy"], expected: "Rome", metadata: { source: "web" } }],
  "langsmith.json": [
    "LANGSMITH",
    1,
    { expected: "Paris", metadata: { dataset_split: ["base"], context: "France is a country in Europe." } },
  ],
  "langsmith.jsonl": [
    "LANGSMITH",
    1,
    { prompt: ["What's the weather?"], expected: "I can't check real-time weather." },
  ],
  "openai-completions.jsonl": ["OPENAI_FINE_TUNING", 2, { prompt: ["2+2 ="], expected: " 4" }],
  "openai-evals-items.jsonl": ["OPENAI_EVALS", 2, { prompt: ["My monitor won't turn on!"], expected: "Hardware" }],
  "openai-evals.jsonl": ["OPENAI_EVALS", 2, { prompt: ["Once upon a "], expected: "time" }],
  "openai-fine-tuning.jsonl": ["OPENAI_FINE_TUNING", 2, { prompt: ["What's the capital of France?"] }],
  "openai-promptfoo.yaml": ["PROMPTFOO", 3, { title: "Row 1", prompt: ["My monitor won't turn on - help!"] }],
  "phoenix.csv": ["PHOENIX", 1, { prompt: ["What's Phoenix?"], expected: "A tool", metadata: { split: "train" } }],
  "phoenix.json": ["PHOENIX", 1, { prompt: ["What's Phoenix?"], expected: "A tool", metadata: { split: "train" } }],
  "promptfoo-metadata.csv": ["PROMPTFOO", 2, { prompt: ["machine learning"], metadata: { category: "technology" } }],
  "ragas-conversation.jsonl": ["RAGAS", 1, { prompt: ["To Rome"], metadata: { reference_topics: ["travel"] } }],
  "ragas-testset.csv": ["RAGAS", 1, { prompt: ["What is X?"], metadata: { reference_contexts: ["X is a letter."] } }],
  "ragas.csv": ["RAGAS", 2, { examples: [{ metadata: { response: "January 15, 1967" } }] }],
  "ragas.jsonl": ["RAGAS", 2, { examples: [{ metadata: { response: "January 15, 1967" } }] }],
};
const folder = new URL("../../../test/imports/", import.meta.url);
const limits = { values: 0, columns: 0, depth: 0, bytes: 1_000_000 };
const readFile = (name: string) => decodeBytes(readFileSync(new URL(name, folder)), new ReadBudget(limits));

test.each(readdirSync(folder))("the file %s", async (name) => {
  const [shape, rows, first] = files[name] ?? [];
  const found = await read(readFile(name));
  expect(found).toMatchObject({ shape, faults: [], count: rows });
  expect(found.fields[0]).toMatchObject(first ?? {});
});

test.each(["langfuse", "ragas"])("the same rows of %s in a table and in lines are equal", async (name) => {
  const [table, ofLines] = await Promise.all([read(readFile(`${name}.csv`)), read(readFile(`${name}.jsonl`))]);
  expect(table.fields).toEqual(ofLines.fields);
});

test("answers that are calls of tools are expected calls", async () => {
  const { fields } = await read(readFile("openai-fine-tuning.jsonl"));
  expect(fields[1]).toMatchObject({
    prompt: ["What's the weather?"],
    metadata: { expectedToolCalls: [{ id: "call_id" }] },
  });
});
