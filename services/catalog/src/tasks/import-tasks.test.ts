import { ConnectError, getReason } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TaskImportFormat, TaskStatus, TaskType } from "@ems/proto/catalog/v1/task_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, tags, topics, definitions, tenant, database } = await catalogHarness();
const { CSV, JSONL } = TaskImportFormat;
const topicId = (await topics.createTopic({ title: "Fees" }, testCall(tenant))).data?.id ?? "";
const tagId = (await tags.createTag({ name: "live" }, testCall(tenant))).data?.id ?? "";
const otherTagId = (await tags.createTag({ name: "old" }, testCall(tenant))).data?.id ?? "";
const fact = { type: EvalDefinitionType.FACT, name: "Fee" };
const definitionId = (await definitions.createDefinition(fact, testCall(tenant))).data?.id ?? "";

const dryRun = async (format: TaskImportFormat, content: string) => {
  const answer = await tasks.importTasks({ format, content, dryRun: true }, testCall(tenant));
  expect(answer).toMatchObject({ dryRun: true, created: 0n, taskIds: [] });
  return answer.errors.map(({ row, field, message }) => `${row} ${field}: ${message}`);
};
const read = async (id = "") => (await tasks.getTask({ id }, testCall(tenant))).task;

test("CSV: all columns, empty cells, quotes and several prompts", async () => {
  const content = [
    "\uFEFFtitle;description;prompt;prompt;topic;tags;type;status;metadata.channel;definitions;expected",
    `"Card; fee";"What ""it"" costs";Cost?;And\tabroad?;Fees;live; old;STATIC;DRAFT;app;Fee;5 euros`.replace(
      "live; old",
      '"live; old"',
    ),
    `Plain;;;;${topicId.toUpperCase()};;;;;;`,
    "",
  ].join("\r\n");
  expect(await dryRun(CSV, content)).toEqual([]);
  expect((await tasks.listTasks({}, testCall(tenant))).data).toEqual([]);
  const answer = await tasks.importTasks({ format: CSV, content }, testCall(tenant));
  expect(answer).toMatchObject({ dryRun: false, rows: 2n, created: 2n, errors: [] });
  const [first, second] = await Promise.all(answer.taskIds.map(read));
  expect(first).toMatchObject({
    title: "Card; fee",
    description: 'What "it" costs',
    inputExamples: ["Cost?", "And\tabroad?"],
    topicId,
    type: TaskType.STATIC,
    status: TaskStatus.DRAFT,
    metadata: { channel: "app" },
    evalDefinitions: [{ evalDefinition: { id: definitionId }, config: { expected: { kind: { value: "5 euros" } } } }],
  });
  expect(second).toMatchObject({ title: "Plain", description: "Plain", topicId, type: TaskType.NORMAL });
  const { data } = await tags.listTaskTags({ id: first?.id ?? "" }, testCall(tenant));
  expect(data.map(({ id }) => id)).toEqual([tagId, otherTagId]);
  const events = await outboxEvents(database, "catalog", { text: first?.id ?? "" });
  expect(events.map(({ type }) => type).sort()).toEqual(["definition.linked", "task.tagged"]);
});

test("JSONL: the fields of a task, with one prompt or several", async () => {
  const rows = [
    { title: "A", prompt: "One?", metadata: { deep: [1, null] }, tags: [tagId] },
    { title: "B", description: "b", prompt: ["One?", "Two?"], definitions: ["Fee"], topicId },
    { title: "C", description: "c", inputExamples: ["Three?"], type: "STATIC", topic: null },
  ];
  const content = rows.map((row) => JSON.stringify(row)).join("\n\n");
  expect(await dryRun(JSONL, content)).toEqual([]);
  const { taskIds } = await tasks.importTasks({ format: JSONL, content }, testCall(tenant));
  expect(await Promise.all(taskIds.map(read))).toMatchObject([
    { title: "A", description: "A", inputExamples: ["One?"], metadata: { deep: [1, null] } },
    {
      title: "B",
      inputExamples: ["One?", "Two?"],
      topicId,
      evalDefinitions: [{ evalDefinition: { id: definitionId } }],
    },
    { title: "C", inputExamples: ["Three?"], type: TaskType.STATIC },
  ]);
});

test("every invalid row is reported with its field, and nothing is written", async () => {
  await definitions.createDefinition({ ...fact, name: "Twice" }, testCall(tenant));
  await definitions.createDefinition({ ...fact, name: "Twice" }, testCall(tenant));
  const lines = [
    '{"title": "Right"}',
    '{"title": "", "description": "d", "type": "LIVE", "colour": 1}',
    "no object",
    '{"title": "a", "topic": "Nowhere", "tags": ["none", 3]}',
    '{"title": "a", "expected": "x", "definitions": []}',
    '{"title": "a", "definitions": ["Twice"], "tags": ["none"], "topic": "\\u0000"}',
  ];
  const content = lines.join("\n");
  const errors = await dryRun(JSONL, content);
  const named = errors.map((error) => error.split(":")[0]).sort();
  const expected = ["2 title", "2 type", "3 ", "4 tags", "4 topic", "5 expected", "6 definitions", "6 tags", "6 topic"];
  expect(named).toEqual(expected);
  expect(errors).toContain("6 definitions: Several evaluation definitions are called Twice: use the id");
  expect(errors).toContain("4 topic: There is no topic Nowhere");
  const before = await database.sql("SELECT count(*) FROM catalog.task");
  const refused = await tasks.importTasks({ format: JSONL, content }, testCall(tenant)).catch((error) => error);
  expect(refused).toBeInstanceOf(ConnectError);
  expect(getReason(refused)).toBe("RULES_VIOLATED");
  expect(await database.sql("SELECT count(*) FROM catalog.task")).toEqual(before);
});

test("malformed tables are reported: columns, cells, quotes, no content, too many rows", async () => {
  expect(await dryRun(CSV, "title,colour,title\na,b,c")).toEqual(["1 title: The column occurs twice"]);
  expect(await dryRun(CSV, "title,prompt\na,b,c\nd")).toEqual(["2 : The row has 3 cells, but the header has 2"]);
  expect(await dryRun(CSV, 'title\n"a')).toEqual(["2 : A quote is not closed (row 2)"]);
  expect(await dryRun(CSV, "title,metadata\na,{")).toEqual([
    expect.stringMatching(/^2 metadata: The cell is not JSON: /),
  ]);
  for (const [format, content] of [
    [CSV, "title"],
    [JSONL, "\n \n"],
  ] as const)
    expect(await dryRun(format, content)).toEqual(["1 : There are no tasks"]);
  const many = (count: number) => ["title", ...Array(count).fill("a")].join("\n");
  expect(await dryRun(CSV, many(1_001))).toEqual([
    "1 : There are more than 1,000 rows: split them into several imports",
  ]);
  expect(await dryRun(CSV, many(1_000))).toEqual([]);
});

test("names of another tenant are not found, and a retry with the same idempotency key creates nothing", async () => {
  const other = testTenant();
  const content = JSON.stringify({ title: "a", topic: topicId, tags: ["live"], definitions: [definitionId] });
  const { errors } = await tasks.importTasks({ format: JSONL, content, dryRun: true }, testCall(other));
  expect(errors.map(({ field }) => field).sort()).toEqual(["definitions", "tags", "topic"]);
  const key = newId();
  const repeat = async () => {
    const options = testCall(other);
    const headers = { ...options.headers, "idempotency-key": key };
    return (await tasks.importTasks({ format: CSV, content: "title\nOnce" }, { ...options, headers })).taskIds;
  };
  expect(await repeat()).toEqual(await repeat());
  expect((await tasks.listTasks({}, testCall(other))).data).toHaveLength(1);
});

test("a long column name is truncated in the error", async () => {
  const [error = ""] = await dryRun(CSV, "x".repeat(70_000));
  expect(error).toMatch(/^1 x+…: Unknown column. Expected one of: /);
  expect(error.length).toBeLessThan(1_000);
});
