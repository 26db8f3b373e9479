// Repeated imports: the identity of rows, and edits between imports.

import { TaskImportAction, TaskImportFormat, TaskImportShape } from "@ems/proto/catalog/v1/task_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, definitions, clock } = await catalogHarness();

function importer() {
  const tenant = testTenant();
  const call = () => testCall(tenant);
  return {
    send: (content: string, more: object = {}) => tasks.importTasks({ content, ...more }, call()),
    read: async (id = "") => (await tasks.getTask({ id }, call())).task,
    update: (id = "", title = "") => tasks.updateTask({ id, title }, call()),
    list: async () => (await tasks.listTasks({}, call())).data,
    definitions: async () => (await definitions.listDefinitions({}, call())).data,
  };
}

const items = (...rows: object[]) => JSON.stringify(rows);
const sum = { id: "sum", input: "2+2", expectedOutput: "4", metadata: { lang: "en" } };
const product = { id: "product", input: "2*3", expectedOutput: "6" };

test("the same file again changes nothing, and a changed file updates its tasks", async () => {
  const { send, read, list } = importer();
  const first = await send(items(sum, product));
  expect(first).toMatchObject({ shape: TaskImportShape.LANGFUSE, format: TaskImportFormat.JSON, created: 2n });
  expect(await send(items(sum, product))).toMatchObject({ created: 0n, updated: 0n, unchanged: 2n, conflicts: 0n });
  clock.advance(1_000);
  const changed = items({ ...sum, expectedOutput: "four" }, product, { id: "new", input: "1+1", expectedOutput: "2" });
  const repeat = await send(changed);
  expect(repeat).toMatchObject({ created: 1n, updated: 1n, unchanged: 1n });
  expect(repeat.taskIds.slice(0, 2)).toEqual(first.taskIds);
  const task = await read(first.taskIds[0]);
  expect(task).toMatchObject({ title: "2+2", metadata: { lang: "en" }, examples: [{ input: "2+2" }] });
  expect(task?.examples[0]?.expected?.kind.value).toBe("four");
  expect(await list()).toHaveLength(3);
  expect(await send(changed)).toMatchObject({ unchanged: 3n });
});

test("a task that was edited here is a conflict, and stays unless it may be overwritten", async () => {
  const { send, read, update } = importer();
  const { taskIds } = await send(items(sum, product));
  clock.advance(1_000);
  await update(taskIds[0], "Mine");
  const checked = await send(items(sum, product), { dryRun: true });
  expect(checked).toMatchObject({ conflicts: 1n, unchanged: 1n });
  expect(checked.preview.map(({ action }) => action)).toEqual([TaskImportAction.CONFLICT, TaskImportAction.UNCHANGED]);
  expect(await send(items(sum, product))).toMatchObject({ conflicts: 1n, unchanged: 1n, updated: 0n });
  expect((await read(taskIds[0]))?.title).toBe("Mine");
  expect(await send(items(sum, product), { overwrite: true })).toMatchObject({ conflicts: 0n, updated: 1n });
  expect((await read(taskIds[0]))?.title).toBe("2+2");
  expect(await send(items(sum, product))).toMatchObject({ unchanged: 2n });
});

test("rows without an id are identified by their prompts, in any order, and by the source", async () => {
  const { send } = importer();
  const rows = [
    { question: "a", answer: "1" },
    { question: "b", answer: "2" },
    { question: "a", answer: "3" },
  ];
  expect(await send(items(...rows))).toMatchObject({ shape: TaskImportShape.TABLE, created: 3n });
  expect(await send(items(...rows))).toMatchObject({ unchanged: 3n });
  expect(await send(items({ question: "b", answer: "two" }))).toMatchObject({ updated: 1n });
  expect(await send(items(...rows), { source: "other" })).toMatchObject({ created: 3n });
  const { errors } = await send(items(sum, sum), { dryRun: true });
  expect(errors).toMatchObject([{ field: "id", message: "The id occurs twice, first in row 1" }]);
});

test("equal ids of two applications are different tasks", async () => {
  const [ours, theirs] = [importer(), importer()];
  const { taskIds } = await ours.send(items(sum));
  clock.advance(1_000);
  expect(await theirs.send(items({ ...sum, expectedOutput: "5" }), { overwrite: true })).toMatchObject({ created: 1n });
  expect((await ours.read(taskIds[0]))?.examples[0]?.expected?.kind.value).toBe("4");
});

test("concurrent imports of a file create each task once", async () => {
  const { send, list } = importer();
  await Promise.all([send(items(sum, product)), send(items(sum, product)), send(items(sum, product))]);
  expect(await list()).toHaveLength(2);
});

const config = (value: string) => `
prompts: ["Capital of {{country}}?"]
providers: [openai:gpt-5]
tests:
  - vars: {country: France}
    assert:
      - {type: equals, value: ${value}}
      - {type: regex, value: "P[a-z]+"}
      - {type: regex, value: "(?<=x)y"}
      - {type: llm-rubric, value: Is short}
`;

test("a configuration of promptfoo: evaluators are created once, and linked with their expectations", async () => {
  const { send, read, definitions: list } = importer();
  const checked = await send(config("Paris"), { dryRun: true });
  expect(checked).toMatchObject({ definitionsCreated: 2n, shape: TaskImportShape.PROMPTFOO, rows: 1n });
  expect(checked.preview).toMatchObject([
    { prompts: ["Capital of France?"], definitions: ["Equals", "Matches", "Matches"] },
  ]);
  expect(await list()).toEqual([]);
  const { taskIds, notImportedYet } = await send(config("Paris"));
  expect(notImportedYet.map(({ row, message }) => `${row} ${message.slice(0, 24)}`)).toEqual([
    "2 Prompt Capital of {{coun",
    "3 Provider openai:gpt-5",
    "5 Assertion Matches: Not a",
    "10 Assertion llm-rubric: Is",
  ]);
  const linked = (await read(taskIds[0]))?.evalDefinitions ?? [];
  expect(linked.map(({ evalDefinition, config: link }) => [evalDefinition?.name, link?.expected?.kind.value])).toEqual([
    ["Equals", "Paris"],
    ["Matches", ""],
  ]);
  expect(await send(config("Paris"))).toMatchObject({ unchanged: 1n, definitionsCreated: 0n });
  clock.advance(1_000);
  expect(await send(config("Lyon"))).toMatchObject({ updated: 1n, definitionsCreated: 0n });
  const [first] = (await read(taskIds[0]))?.evalDefinitions ?? [];
  expect(first?.config?.expected?.kind.value).toBe("Lyon");
  expect(await list()).toHaveLength(2);
});
