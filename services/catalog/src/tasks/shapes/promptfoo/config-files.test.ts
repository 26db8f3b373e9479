import { expect, test } from "vitest";
import { FaultList } from "../../import-faults.ts";
import { readRows } from "../read-rows.ts";
import { explainMissing, plainPath } from "./paths.ts";
import { fillTemplate } from "./template.ts";

async function read(content: string, files: Record<string, string> = {}) {
  const faults = new FaultList();
  const options = { format: undefined, mapping: {}, unmappedAsMetadata: false, expandsLists: true, content, files };
  const { rows, waiting, notes, shape, count } = await readRows(options, faults);
  const prompts = rows.map(({ fields }) => fields.prompt);
  return { rows, prompts, waits: waiting.map(({ message }) => message), notes, shape, count, faults: faults.faults };
}

test("prompts are read from YAML, JSONL, CSV and labeled files, and each waits with its file", async () => {
  const content = `prompts:
  - file://chat.yaml
  - {id: file://lines.jsonl, label: Lines}
  - file://table.csv
  - file://list.csv
  - prompts/*.yml
  - file://make.py:build
  - file://make.js
  - langfuse://greeting:3:text
  - file://gone.yaml
providers: [x]
tests: [{vars: {q: 'Say "hi"'}}]
`;
  const found = await read(content, {
    "chat.yaml": "- {role: system, content: Short}\n- role: user\n  content: |\n    Chat: {{q}}\n",
    "lines.jsonl": '[{"role": "user", "content": "Line: {{ q | trim }}"}]\r\n\r\n{{q}} alone\n',
    "table.csv": 'label,prompt\nA,"Cell, {{q}}"\n',
    "list.csv": "prompt\nListed {{q}}\n",
    "prompts/plain.yml": "Plain {{q}}\n",
    "prompts/broken.yml": "{% if q %}\n- : {{q}\n",
  });
  expect(found.rows[0]?.fields.examples).toMatchObject([
    { input: 'Chat: Say "hi"\n', metadata: { messages: [{ role: "system", content: "Short" }] } },
    ...['Line: Say "hi"', 'Say "hi" alone', 'Cell, Say "hi"', 'Listed Say "hi"', 'Plain Say "hi"'].map((input) => ({
      input,
    })),
  ]);
  expect(found.waits).toEqual([
    "Prompt file://chat.yaml; tests are filled into it",
    "Prompt Lines in file://lines.jsonl; tests are filled into it",
    "Prompt file://table.csv; tests are filled into it",
    "Prompt file://list.csv; tests are filled into it",
    "Prompt prompts/*.yml; tests are filled into it",
    "Prompt file://make.py:build: code is not run",
    "Prompt file://make.js: code is not run",
    "Prompt langfuse://greeting:3:text: it is in another service",
    "Prompt file://gone.yaml: the file is missing. Send gone.yaml in files",
    "Provider x",
    "A prompt that needs more than variables, or is too long, was not filled",
  ]);
});

test("defaults, variables and expected values are read from files, relative to the file that names them", async () => {
  const content = `prompts: ["{{q}} in {{unit}}{{rule}}"]
providers: [x]
defaultTest: file://shared/default.yaml
tests: file://tests/*.yaml
`;
  const files = {
    "shared/default.yaml":
      "vars: {unit: km, rule: file://rules/*.txt}\nassert: [{type: contains, value: file://expected.txt}]\n",
    "tests/a.yaml": "- vars: ../vars/*.yaml\n- vars: {q: file://notes.yaml, rule: ''}\n",
    "vars/one.yaml": "q: Far\n",
    "vars/two.yaml": "unit: miles\n",
    "rules/1.txt": "!\n",
    "rules/2.txt": "?\n",
    "notes.yaml": "far: [1, 2]\n",
    "expected.txt": "42\n",
  };
  const found = await read(content, files);
  expect(found.prompts).toEqual([["Far in miles!"], ["Far in miles?"], ['{"far":[1,2]} in km']]);
  expect(found.rows.map(({ evaluators }) => evaluators?.map(({ expected }) => expected))).toEqual(
    Array(3).fill([["42"]]),
  );
  expect(found.waits).toEqual(["Prompt {{q}} in {{unit}}{{rule}}; tests are filled into it", "Provider x"]);
  expect((await read(content, { "tests/a.yaml": "- vars: ../vars/*.yaml\n" })).waits).toEqual([
    "Prompt {{q}} in {{unit}}{{rule}}; tests are filled into it",
    "Provider x",
    "File file://shared/default.yaml: the file is missing. Send shared/default.yaml in files",
    "tests/a.yaml: Variables in ../vars/*.yaml: no file matches. Send vars/*.yaml in files",
  ]);
  const broken = await read(content, { ...files, "shared/default.yaml": "a: [\n" });
  expect(broken.faults[0]?.message).toMatch(/^shared\/default\.yaml: The text is not YAML/);
});

test("references within the document and sets of assertions are followed, also where they are circular", async () => {
  const content = `prompts: ["{{q}}"]
providers: [x]
assertionTemplates:
  polite: {type: contains, value: please}
  circle: {$ref: '#/assertionTemplates/circle'}
tests:
  - vars: {q: Hi}
    assert:
      - $ref: '#/assertionTemplates/polite'
      - $ref: '#/assertionTemplates/circle'
      - {type: assert-set, assert: [{type: equals, value: a}, {type: regex, value: b}]}
      - {type: assert-set, threshold: 0.5, assert: [{type: equals, value: c}]}
`;
  const { rows, waits } = await read(content);
  expect(rows[0]?.evaluators?.map(({ name }) => name)).toEqual(["Contains", "Equals", "Matches"]);
  expect(waits.slice(2)).toEqual(["The assertion has no type", "Assertion assert-set"]);
});

test("a configuration without tests in files imports no task, and says why", async () => {
  const prompts = 'prompts: ["Translate {{text}}"]\n';
  for (const [rest, waits] of [
    ["tests: huggingface://datasets/a/b\n", ["Tests in huggingface://datasets/a/b: it is in another service"]],
    ["tests: [{path: file://make.py, config: {n: 1}}]\n", ["Tests in file://make.py: code is not run"]],
    ["", []],
    ["redteam: {plugins: [harmful]}\n", ["Setting redteam of promptfoo"]],
  ] as const) {
    const found = await read(`${prompts}targets: [x]\n${rest}`);
    expect(found).toMatchObject({ shape: "PROMPTFOO", count: 0, faults: [] });
    expect(found.waits).toEqual(expect.arrayContaining(["Provider x", ...waits]));
  }
  expect(await read(prompts)).toMatchObject({ shape: "PROMPTFOO", count: 0, faults: [] });
  expect(await read("targets: [x]\nredteam: {plugins: [harmful]}\n")).toMatchObject({ shape: "PROMPTFOO", count: 0 });
  expect((await read(`${prompts}targets: [x]\ndefaultTest: {vars: {text: Hi}}\n`)).prompts).toEqual([["Translate Hi"]]);
});

test("rows of variables without vars, thresholds of a table, and prompts that are too long", async () => {
  const base = 'prompts: ["{{q}}"]\nproviders: [x]\n';
  const rows = await read(`${base}tests: file://rows.json\n`, { "rows.json": '[{"q": "One", "kind": "a"}]' });
  expect([rows.prompts, rows.notes]).toEqual([[["One"]], ["rows.json: Rows have no vars: their fields are variables"]]);
  const table = "q,__expected1,__expected2,__config:__expected:threshold\nHi,contains: x,similar: y,0.9\n";
  const read2 = await read(`${base}tests: file://t.csv\n`, { "t.csv": table });
  expect(read2.rows[0]?.evaluators).toMatchObject([{ name: "Contains" }]);
  expect(read2.waits.at(-1)).toBe("t.csv: Assertion similar: y");
  const long = await read(`${base}tests: [{vars: {q: [${"a".repeat(10_001)}, b]}}]\n`);
  expect(long.prompts).toEqual([["b"]]);
  expect(long.waits.at(-1)).toBe("A prompt has more than 10000 characters");
});

test("more rows than an import takes are refused, in a file of tests and in the import itself", async () => {
  const table = (rows: number) => `q,__expected\n${Array.from({ length: rows }, (_, at) => `q${at},a`).join("\n")}\n`;
  const base = 'prompts: ["{{q}}"]\nproviders: [x]\ntests: file://t.csv\n';
  const message = expect.stringContaining("There are more than 1,000 rows");
  expect((await read(base, { "t.csv": table(1_000) })).rows).toHaveLength(1_000);
  expect((await read(base, { "t.csv": table(1_001) })).faults).toMatchObject([{ message }]);
  expect((await read(table(1_000))).rows).toHaveLength(1_000);
  expect((await read(table(1_001))).faults).toMatchObject([{ message }]);
  const list = (rows: number) => JSON.stringify(Array.from({ length: rows }, (_, at) => ({ vars: { q: `q${at}` } })));
  expect((await read(list(1_001))).faults).toMatchObject([{ message }]);
});

test.each([
  ['{"a": {{ a | dump }}, "b": "{{b}}"}', '{"a": [1,2], "b": "x\\"y"}'],
  ["{{ b | upper }} {{ none | default('nothing') }} {{ a | join('-') }}", 'X\\"Y nothing 1-2'],
  ["{{ b | shout }}", undefined],
  ["{% for i in a %}{{i}}{% endfor %}", undefined],
])("the template %s", (template, filled) => {
  expect(fillTemplate(template, { a: [1, 2], b: 'x"y' }, true)).toBe(filled);
});

test.each([
  ["file://./a/../b/c.yaml", "", "b/c.yaml"],
  ["../vars/x.yaml", "tests/deep", "tests/vars/x.yaml"],
  ["../../x.yaml", "tests", "../x.yaml"],
])("the path %s in %s", (path, folder, plain) => {
  expect(plainPath(path, folder)).toBe(plain);
  expect(explainMissing(path, folder)).toBe(`the file is missing. Send ${plain} in files`);
});
