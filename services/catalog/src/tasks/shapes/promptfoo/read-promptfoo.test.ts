import { expect, test } from "vitest";
import { FaultList } from "../../import-faults.ts";
import { type ReadOptions, readRows } from "../read-rows.ts";
import { readAssertionText, readList } from "./assertion-text.ts";
import { matchesGlob } from "./glob.ts";

async function read(content: string, options: Partial<ReadOptions> = {}) {
  const faults = new FaultList();
  const read = await readRows(
    { format: undefined, mapping: {}, unmappedAsMetadata: false, expandsLists: true, content, ...options },
    faults,
  );
  return { ...read, faults: faults.faults, prompts: read.rows.map(({ fields }) => fields.prompt) };
}

const list = { type: "list", matchMode: "contains", scoreMetric: "recall" };

test("a configuration: prompts are filled, assertions become evaluators, and the rest is listed with its line", async () => {
  const found = await read(`description: Capitals
prompts:
  - "Capital of {{country}}?"
  - file://prompt.txt
providers: [openai:gpt-5]
defaultTest:
  vars: {country: Italy}
  assert:
    - type: llm-rubric
      rubric: Names the price
tests:
  - description: France
    vars: {country: France}
    assert:
      - {type: equals, value: Paris}
      - {type: contains-any, value: [Paris, "{{country}}"]}
  - {vars: {}, threshold: 0.5}
`);
  expect(found).toMatchObject({ shape: "PROMPTFOO", format: "YAML", count: 2, faults: [] });
  expect(found.rows).toMatchObject([
    {
      row: 12,
      fields: { title: "France", prompt: ["Capital of France?"], type: "STATIC" },
      evaluators: [
        { name: "Equals", config: { type: "string", settings: { exact: true } }, expected: "Paris" },
        { name: "Contains any", config: { ...list, passThreshold: 0.001 }, expected: ["Paris", "France"] },
      ],
    },
    { row: 17, fields: { prompt: ["Capital of Italy?"] }, evaluators: [] },
  ]);
  expect(found.waiting.map(({ row, message }) => `${row} ${message}`)).toEqual([
    "3 Prompt Capital of {{country}}?; tests are filled into it",
    "4 Prompt file://prompt.txt: the file is missing. Send prompt.txt in files",
    "5 Provider openai:gpt-5",
    "10 Assertion llm-rubric: unknown key rubric",
    "17 Key threshold of a test",
  ]);
});

test("a list of texts makes a test each, unless it is switched off", async () => {
  const tests = (options = "") => `- vars: {colors: [red, green, blue], n: [1, 2]}\n  ${options}`;
  const prompts = "prompts: ['{{colors}} {{n}}']\nproviders: [x]\ntests:\n";
  const expanded = await read(`${prompts}${tests()}`);
  expect(expanded.prompts).toEqual([["red 1,2"], ["green 1,2"], ["blue 1,2"]]);
  expect(expanded.notes).toEqual(["Row 4: lists in variables make 3 tests"]);
  const whole = [["red,green,blue 1,2"]];
  expect((await read(`${prompts}${tests()}`, { expandsLists: false })).prompts).toEqual(whole);
  expect((await read(`${prompts}${tests("options: {disableVarExpansion: true}")}`)).prompts).toEqual(whole);
});

test("a table: description, metadata, lists in quotes, and variables", async () => {
  const { rows, shape, columns } = await read(
    "question,__expected,__expected2,__description,__metadata:topic,__metadata:tags[]\n" +
      'Hi?,"contains-any: ""hello, world"", bye",llm-rubric: polite,Greeting,talk,"a,b"\n',
  );
  expect(shape).toBe("PROMPTFOO");
  expect(rows).toMatchObject([
    {
      fields: { title: "Greeting", prompt: ["Hi?"], metadata: { topic: "talk", tags: ["a", "b"] } },
      evaluators: [{ name: "Contains any", expected: ["hello, world", "bye"] }],
    },
  ]);
  expect(columns[0]).toEqual({ name: "question", becomes: "variable" });
});

test("anchors are copied, and one that contains itself is refused", async () => {
  const tests = "- &a {vars: {q: x}, assert: [{type: equals, value: y}]}\n- *a\n- *a\n";
  expect((await read(tests)).rows).toHaveLength(3);
  const { faults, count } = await read("tests: &a\n- vars: {q: x}\n  more: *a\n");
  expect([count, faults[0]?.row, faults[0]?.message]).toEqual([0, 3, expect.stringContaining("contains itself")]);
});

test("chats become a prompt and earlier messages", async () => {
  const chat = JSON.stringify([
    { role: "system", content: "You know {{topic}}." },
    { role: "user", content: "{{q}}" },
  ]);
  const { rows } = await read(
    JSON.stringify({ prompts: [chat], providers: ["x"], tests: [{ vars: { topic: "math", q: 'Say "hi"\n' } }] }),
  );
  expect(rows[0]?.fields).toMatchObject({
    prompt: ['Say "hi"\n'],
    metadata: { messages: [{ role: "system", content: "You know math." }] },
  });
});

test.each([
  ["Paris", { type: "equals", value: "Paris" }],
  ["equals: Paris", { type: "equals", value: "Paris" }],
  ["contains:Paris", { type: "contains", value: "Paris" }],
  ["not-contains: Paris", { type: "not-contains", value: "Paris" }],
  ["similar(0.8): Paris", { type: "similar", value: "Paris", threshold: 0.8 }],
  ["fn: output > 3", { type: "javascript", value: "output > 3" }],
  ["grade: polite", { type: "llm-rubric", value: "polite" }],
  ["Note: see below", { type: "equals", value: "Note: see below" }],
  ["is-json", { type: "is-json" }],
])("the cell %j is read as the tool does", (cell, assertion) => {
  expect(readAssertionText(cell)).toEqual(assertion);
});

test.each([
  ['"hello, world", bye', ["hello, world", "bye"]],
  ['"say ""hi"""', ['say "hi"']],
  [String.raw`"a\"b", c`, ['a"b', "c"]],
  ["a, ,b,", ["a", "b"]],
  ['open "quote, b', ['open "quote', "b"]],
])("the list %j", (text, items) => {
  expect(readList(text)).toEqual(items);
});

test("recorded outputs are metadata of the examples", async () => {
  const { rows, notes, waiting } = await read(
    "tests:\n- {vars: {q: 2+2}, providerOutput: '5', assert: [{type: equals, value: '4'}]}\n- {vars: {q: 1+1}}\n",
  );
  expect(rows.map(({ fields }) => fields)).toEqual([
    { examples: [{ input: "2+2", metadata: { providerOutput: "5" } }], type: "STATIC" },
    { prompt: ["1+1"], type: "STATIC" },
  ]);
  expect([notes, waiting]).toEqual([[expect.stringContaining("metadata of the examples: providerOutput.")], []]);
});

test("patterns name files in order, variables are read from files, and files that are missing are listed", async () => {
  const content = `prompts: file://prompts/*.txt
providers: [x]
tests: [file://tests/**/*.yaml, "file://other/{a,b}.csv", file://missing/*.csv]
`;
  const files = {
    "prompts/b.txt": "B {{q}}",
    "prompts/a.txt": "A {{q}}",
    "prompts/.c.txt": "C {{q}}",
    "tests/x/y.yaml": "- vars: {q: file://texts/q.txt}\n",
    "tests/z.yaml": "- vars: {q: file://texts/gone.txt}\n",
    "other/b.csv": "q\n3\n",
    "texts/q.txt": "1\n",
  };
  const found = await read(content, { files });
  expect(found.prompts).toEqual([
    ["A 1", "B 1"],
    ["A file://texts/gone.txt", "B file://texts/gone.txt"],
    ["A 3", "B 3"],
  ]);
  expect(found.notes).toEqual(["2 prompts from 2 files: file://prompts/*.txt"]);
  expect(found.waiting.map(({ message }) => message)).toEqual([
    "Prompt file://prompts/*.txt; tests are filled into it",
    "Provider x",
    "tests/z.yaml: Variable q in file://texts/gone.txt: the file is missing. Send texts/gone.txt in files",
    "Tests in file://missing/*.csv: no file matches. Send missing/*.csv in files",
  ]);
});

test.each([
  ["a/b.txt", "a/*.txt", true],
  ["a/b/c.txt", "a/*.txt", false],
  ["a/b/c.txt", "a/**/*.txt", true],
  ["a/c.txt", "a/**/*.txt", true],
  ["c.txt", "**", true],
  ["a/c.md", "a/c.{txt,md}", true],
  ["a/c1.txt", "a/c?.txt", true],
  ["a/abcabd", "a/*abd", true],
  [`a/${"a".repeat(500)}b`, `a/${"*a".repeat(200)}c`, false],
  ["a.txt", "{a,{b,c}}.txt", true],
  ["c.txt", "{a,{b,c}}.txt", true],
])("the path %s and the pattern %s", (path, pattern, isMatch) => {
  expect(matchesGlob(path, pattern)).toBe(isMatch);
});

test("files of prompts and of tests are read if they are sent, as the tool reads them", async () => {
  const content =
    "prompts: [file://p.txt, ./p.md, {id: chat.json, label: chat}, p.py]\nproviders: [x]\ntests: file://t.csv\n";
  const chat = JSON.stringify([{ role: "user", content: "Chat\n---\n{{q}}" }]);
  const files = {
    "p.txt": "One {{q}}\r\n---\r\nTwo {{q}}\n",
    "p.md": "A\n\n---\n\nB {{q}}",
    "chat.json": chat,
    "t.csv": "q,__expected\n1,x\n",
  };
  const found = await read(content, { files });
  expect(found).toMatchObject({ count: 1, faults: [], notes: ["2 prompts from 1 file: file://p.txt"] });
  expect(found.prompts).toEqual([["One 1", "Two 1", "A\n\n---\n\nB 1", "Chat\n---\n1"]]);
  expect(found.rows[0]?.evaluators).toMatchObject([{ name: "Equals", expected: "x" }]);
  expect(found.waiting.map(({ message }) => message)).toContain("Prompt p.py: code is not run");
});
