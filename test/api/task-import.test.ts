import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { newTenant } from "../harness/tenant.ts";

const path = "/v0/tasks/import";

test("an import says what is wrong by row and field, and creates all of the tasks or none", async () => {
  const { api } = await newTenant();
  const topicId = (await api.post("/v0/topics", { title: "Fees" })).body.data.id;
  const wrong = { format: "CSV", content: "title,prompt,topic\nCost,What?,Nowhere\n,,Fees" };
  const dry = await api.post(path, { ...wrong, dryRun: true });
  expect(dry).toMatchObject({
    status: 200,
    body: {
      dryRun: true,
      rows: 2,
      created: 0,
      taskIds: [],
      errors: [
        { row: 2, field: "topic", message: "There is no topic Nowhere" },
        { row: 3, field: "title" },
      ],
    },
  });
  const refused = await api.post(path, wrong);
  expect(refused.status).toBe(400);
  const paths = refused.body.issues.map((issue: { path: string[] }) => issue.path.join("."));
  expect(paths).toEqual(
    dry.body.errors.map(({ row, field }: typeof wrong & { row: number; field: string }) => `content.${row}.${field}`),
  );
  expect((await api.get("/v0/tasks")).body.data).toEqual([]);

  const right = { format: "CSV", content: "title,prompt,topic\nCost,What?,Fees" };
  const { status, body } = await api.post(path, right);
  expect([status, body]).toMatchObject([200, { dryRun: false, rows: 1, created: 1, errors: [] }]);
  const { task } = (await api.get(`/v0/tasks/${body.taskIds[0]}`)).body;
  expect(task).toMatchObject({ title: "Cost", description: "Cost", inputExamples: ["What?"], topicId });
  const faults = (await api.post(path, { format: "XML", dryRun: 1 })).body.issues;
  expect(faults.map((issue: { path: string[] }) => issue.path[0]).sort()).toEqual(["content", "dryRun", "format"]);
});

test("characters that cannot be stored are replaced and counted, and errors beyond the limit are counted", async () => {
  const { api } = await newTenant();
  const { status, body } = await api.post(path, { format: "CSV", content: "title\na\0\ud800" });
  expect([status, body.replacedCharacters]).toEqual([200, 2]);
  expect((await api.get(`/v0/tasks/${body.taskIds[0]}`)).body.task.title).toBe("a\ufffd\ufffd");
  const content = `title,status\n${"a,WRONG\n".repeat(150)}`;
  const checked = await api.post(path, { format: "CSV", content, dryRun: true });
  expect(checked.body).toMatchObject({ rows: 150, issuesOmitted: 50, replacedCharacters: 0 });
  expect(checked.body.errors).toHaveLength(100);
});

test("ems tasks import checks a file first", async () => {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl: inject("product").baseUrl, ...tenant });
  const file = join(tmpdir(), `${randomUUID()}.jsonl`);
  onTestFinished(() => rm(file, { force: true }));
  await writeFile(file, '{"title": "Cost"}\n{"title": 3}\n');
  const refused = await ems(["tasks", "import", file]);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("title")]);
  await writeFile(file, '{"title": "Cost"}\n');
  expect(await ems(["tasks", "import", file, "--dry-run"])).toMatchObject({ stdout: "1 tasks can be imported.\n" });
  expect(await ems(["tasks", "import", file])).toMatchObject({ code: 0, stdout: "1 tasks were imported.\n" });
  expect((await tenant.api.get("/v0/tasks")).body.data).toMatchObject([{ title: "Cost" }]);
  expect((await ems(["tasks", "import", "tasks.xml"])).code).toBe(2);
  await writeFile(file, Buffer.from('{"title": "Geb\xfchr"}\n', "latin1"));
  const unreadable = await ems(["tasks", "import", file]);
  expect([unreadable.code, unreadable.stderr]).toEqual([2, expect.stringContaining("not UTF-8")]);
  expect(unreadable.stderr).toContain("(row 1, byte 14)");
});

/** Writes a file that the test removes, and returns its path. */
async function writeImport(content: string, extension: string): Promise<string> {
  const file = join(tmpdir(), `${randomUUID()}.${extension}`);
  onTestFinished(() => rm(file, { force: true }));
  await writeFile(file, content);
  return file;
}

test("ems import recognizes a file of another tool, and the same file again changes nothing", async () => {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl: inject("product").baseUrl, ...tenant });
  const items = [
    { id: "a", input: "2+2", expectedOutput: "4", metadata: { lang: "en" } },
    { id: "b", input: { question: "Fee?" }, expectedOutput: "5 euros", status: "ACTIVE" },
  ];
  const file = await writeImport(JSON.stringify(items), "json");
  const checked = await ems(["import", file, "--dry-run"]);
  expect([checked.code, checked.stdout]).toEqual([0, "2 tasks can be imported.\n"]);
  expect(checked.stderr).toContain("Recognized: LANGFUSE");
  expect(await ems(["import", file])).toMatchObject({ code: 0, stdout: "2 tasks were imported.\n" });
  expect(await ems(["import", file])).toMatchObject({ stdout: "0 tasks were created, 0 updated, 2 unchanged.\n" });
  const { data } = (await tenant.api.get("/v0/tasks?search=Fee")).body;
  expect(data).toMatchObject([{ title: "Fee?", type: "STATIC", examples: [{ input: "Fee?", expected: "5 euros" }] }]);
  await tenant.api.send("PUT", `/v0/tasks/${data[0].id}`, { json: { title: "Mine" } });
  expect((await ems(["import", file])).stdout).toContain("1 edited here and kept");
  expect((await ems(["import", file, "--overwrite"])).stdout).toBe("0 tasks were created, 1 updated, 1 unchanged.\n");
});

test("ems import sends a long file in pieces, keeps equal rows apart, and continues where it was interrupted", async () => {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl: inject("product").baseUrl, ...tenant });
  const rows = Array.from({ length: 2_500 }, (_, at) => `"Q ${at % 2_000}";A ${at};x`);
  const file = await writeImport(`\ufeffFrage;Antwort;Bereich\r\n${rows.join("\r\n\r\n")}\r\n`, "csv");
  const unmapped = await ems(["import", file]);
  expect([unmapped.code, unmapped.stdout]).toEqual([1, expect.stringContaining("Unknown column")]);
  const mapped = ["import", file, "--map", "Frage=prompt", "Antwort=expected", "--metadata"];
  expect(await ems(mapped)).toMatchObject({ code: 0, stdout: "2500 tasks were imported.\n" });
  expect(await ems(mapped)).toMatchObject({ stdout: "0 tasks were created, 0 updated, 2500 unchanged.\n" });
  expect((await tenant.api.get("/v0/tasks?limit=1")).body.pagination.total).toBe(2_500);
  const wrong = await writeImport(`title;type\n${"a;STATIC\n".repeat(1_200)}`, "csv");
  const refused = await ems(["import", wrong, "--json"]);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ rows: 1_200, issuesOmitted: 1_100 });
}, 120_000);

test("a mapping and a configuration of promptfoo", async () => {
  const { api } = await newTenant();
  const config = `prompts: ["Capital of {{country}}?"]
providers: [openai:gpt-5]
tests:
  - {vars: {country: [France, Italy]}, assert: [{type: contains, value: "{{country}}"}, {type: llm-rubric, value: Short}]}
`;
  const checked = (await api.post(path, { content: config, dryRun: true })).body;
  expect(checked).toMatchObject({ shape: "PROMPTFOO", format: "YAML", rows: 2, definitionsCreated: 1, created: 0 });
  expect(checked.notes).toEqual(["Row 4: lists in variables make 2 tests"]);
  expect(checked.preview).toMatchObject([
    { row: 4, action: "CREATE", prompts: ["Capital of France?"], expected: ["France"], definitions: ["Contains"] },
    { prompts: ["Capital of Italy?"] },
  ]);
  expect(
    checked.notImportedYet.map(({ row, message }: { row: number; message: string }) => `${row} ${message}`),
  ).toEqual([
    "1 Prompt Capital of {{country}}?; tests are filled into it",
    "2 Provider openai:gpt-5",
    "4 Assertion llm-rubric: Short",
  ]);
  const whole = (await api.post(path, { content: config, dryRun: true, expandLists: false })).body;
  expect([whole.rows, whole.notes]).toEqual([1, []]);
  const { taskIds } = (await api.post(path, { content: config })).body;
  const { task } = (await api.get(`/v0/tasks/${taskIds[0]}`)).body;
  expect(task.evalDefinitions).toMatchObject([
    { evalDefinition: { name: "Contains", type: "OUTPUT_MATCH" }, config: { expected: ["France"] } },
  ]);
  const mapping = { question: "prompt", answer: "expected" };
  const content = "question,answer,region\n2+2,4,EU\n";
  const mapped = (await api.post(path, { content, mapping, dryRun: true })).body;
  expect(mapped).toMatchObject({ shape: "MAPPED", format: "CSV", unmappedColumns: ["region"], errors: [] });
  expect(mapped.columns).toEqual([
    { name: "question", becomes: "prompt" },
    { name: "answer", becomes: "expected" },
    { name: "region", becomes: "" },
  ]);
  const wrong = await api.post(path, { content, mapping: { nowhere: "prompt" } });
  expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, ["content", "1", "nowhere"]]);
});

test("recorded answers are metadata of the examples, and the file again changes nothing", async () => {
  const { api } = await newTenant();
  const content = JSON.stringify({ input: "2+2", output: { sum: 5 }, ideal: "4" });
  const { body } = await api.post(path, { content });
  expect(body).toMatchObject({ created: 1, notImportedYet: [], unmappedColumns: [] });
  expect(body.notes).toEqual([expect.stringContaining("metadata of the examples: output.")]);
  const { task } = (await api.get(`/v0/tasks/${body.taskIds[0]}`)).body;
  expect(task.examples).toEqual([{ input: "2+2", expected: "4", metadata: { output: { sum: 5 } } }]);
  expect((await api.post(path, { content })).body).toMatchObject({ created: 0, unchanged: 1 });
});

test("without the scope of definitions, rows are imported, and evaluators are listed until they exist", async () => {
  const { api, applicationId } = await newTenant();
  const keyed = async (scopes: string[]) => {
    const { key } = (await api.post("/v0/api-keys", { name: scopes.join(" "), scopes })).body.data;
    return async (json: object) => {
      const headers = { "x-api-key": key, "x-application-id": applicationId, "content-type": "application/json" };
      const url = `${inject("product").baseUrl}${path}`;
      return JSON.parse(await (await fetch(url, { method: "POST", headers, body: JSON.stringify(json) })).text());
    };
  };
  const tests = [1, 2].map((n) => ({ vars: { q: `${n}+${n}` }, assert: [{ type: "equals", value: `${n + n}` }] }));
  const content = JSON.stringify({ prompts: ["{{q}}"], providers: ["x"], tests });
  const waits = (body: { notImportedYet: { message: string }[] }) =>
    body.notImportedYet.map(({ message }) => message).filter((message) => message.includes("scope"));
  const asEditor = await keyed(["task:write"]);
  const missing = ["Evaluator Equals: creating it needs the scope definition:write"];
  for (const dryRun of [true, false]) {
    const body = await asEditor({ content, dryRun });
    expect([body.definitionsCreated, body.errors, waits(body)]).toEqual([0, [], missing]);
  }
  expect((await api.get("/v0/definitions")).body.data).toEqual([]);
  expect((await api.get("/v0/tasks")).body.pagination.total).toBe(2);
  const more = await (await keyed(["task:write", "definition:write"]))({ content });
  expect(more).toMatchObject({ created: 0, updated: 2, definitionsCreated: 1 });
  // Existing definitions are linked without the scope, so that the same file changes nothing.
  const repeat = await asEditor({ content });
  expect([repeat.unchanged, waits(repeat)]).toEqual([2, []]);
});

test("ems import reads the files of a configuration, and lists what has no place yet", async () => {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl: inject("product").baseUrl, ...tenant });
  const folder = join(tmpdir(), randomUUID());
  onTestFinished(() => rm(folder, { force: true, recursive: true }));
  await mkdir(join(folder, "more"), { recursive: true });
  await writeFile(`${folder}.csv`, "country\nNarnia\n");
  onTestFinished(() => rm(`${folder}.csv`, { force: true }));
  await symlink(`${folder}.csv`, join(folder, "more", "link.csv"));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write("prompts.txt", "Capital of {{country}}?\n---\nWhere is {{country}}?\n");
  await write(join("more", "spain.yaml"), "- vars: {country: file://spain.txt}\n");
  await write("spain.txt", "Spain\n");
  await write("default.yaml", "vars: {mood: file://mood.txt}\n");
  await write("mood.txt", "politely\n");
  await write(join("more", "peru.yaml"), "- vars: ../peru-*.yaml\n");
  await write("peru-vars.yaml", "country: Peru\n");
  await write("chat.yaml", "- {role: user, content: 'Answer {{mood}}: {{country}}'}\n");
  await write("tests.csv", 'country,__expected\nFrance,"contains-any: ""Paris, France"", Lyon"\nItaly,is-json\n');
  const config =
    "prompts: [file://prompts.txt, file://chat.yaml, file://chat.py]\nproviders: [openai:gpt-5]\ndefaultTest: file://default.yaml\n" +
    `tests: [file://tests.csv, 'file://more/*', 'file://../*.csv', file://../${basename(folder)}.csv]\n`;
  await write("promptfooconfig.yaml", config);
  const found = await ems(["import", join(folder, "promptfooconfig.yaml")]);
  expect([found.code, found.stdout]).toEqual([0, "4 tasks were imported.\n"]);
  for (const text of [
    "2 prompts from 1 file: file://prompts.txt",
    "Evaluators: 1 new",
    "Provider openai:gpt-5",
    "Assertion is-json",
    "Tests in file://../*.csv: no file matches",
    `../${basename(folder)}.csv is outside the folder of the configuration.`,
    "more/link.csv is outside the folder of the configuration.",
    "Prompt file://chat.yaml; tests are filled into it",
    "Prompt file://chat.py: code is not run",
  ])
    expect(found.stderr).toContain(text);
  expect((await tenant.api.get("/v0/tasks?search=Narnia")).body.data).toEqual([]);
  expect((await tenant.api.get("/v0/tasks?search=Spain")).body.data).toMatchObject([
    { inputExamples: ["Capital of Spain?", "Where is Spain?", "Answer politely: Spain"] },
  ]);
  expect((await tenant.api.get("/v0/tasks?search=Peru")).body.data).toHaveLength(1);
  await write("promptfooconfig.js", "module.exports = {};");
  const code = await ems(["import", join(folder, "promptfooconfig.js")]);
  expect([code.code, code.stderr]).toEqual([2, expect.stringContaining("is code, which is not run")]);
  const elsewhere = "prompts: ['{{q}}']\nproviders: [x]\ntests: huggingface://datasets/a/b\n";
  await write("elsewhere.yaml", elsewhere);
  const none = await ems(["import", join(folder, "elsewhere.yaml")]);
  expect([none.code, none.stdout, none.stderr]).toEqual([
    0,
    "0 tasks were imported.\n",
    expect.stringContaining("Tests in huggingface://datasets/a/b: it is in another service"),
  ]);
  const { data } = (await tenant.api.get("/v0/tasks?search=France")).body;
  expect(data).toMatchObject([
    { inputExamples: ["Capital of France?", "Where is France?", "Answer politely: France"] },
  ]);
  const { task } = (await tenant.api.get(`/v0/tasks/${data[0].id}`)).body;
  expect(task.evalDefinitions).toMatchObject([{ config: { expected: ["Paris, France", "Lyon"] } }]);
});

test("a workbook is imported from its base64", async () => {
  const { api } = await newTenant();
  const content = (await readFile(new URL("../../services/kit/test/files/pandas.xlsx", import.meta.url))).toString(
    "base64",
  );
  const { body } = await api.post(path, { content, dryRun: true });
  expect(body).toMatchObject({
    format: "XLSX",
    shape: "TASKS",
    rows: 2,
    errors: [],
    unmappedColumns: ["when", "score"],
  });
});
