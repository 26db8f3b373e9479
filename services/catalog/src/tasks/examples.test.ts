import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { fromValue } from "@ems/kit/json/free-value";
import { TaskImportFormat, TaskType } from "@ems/proto/catalog/v1/task_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { taskBytesMax } from "@ems/proto/limits";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, describe, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { tasks, database } = harness;
const plans = harness.client(TestPlanService);

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const call = () => testCall(tenant);
const words = { title: "t", description: "d" };
const value = (json: JsonValue) => fromJson(ValueSchema, json);

interface Example {
  readonly input: string;
  readonly expected?: JsonValue;
  readonly metadata?: { readonly [key: string]: JsonValue };
}

const messages = (examples: readonly Example[]) =>
  examples.map(({ expected, metadata, ...rest }) => ({
    ...rest,
    ...(expected !== undefined && { expected: value(expected) }),
    ...(metadata !== undefined && { metadata }),
  }));

const create = async (examples: readonly Example[], more: object = {}) =>
  (await tasks.createTask({ ...words, ...more, examples: messages(examples) }, call())).task?.id ?? "";

async function read(id: string): Promise<Example[]> {
  const { task } = await tasks.getTask({ id }, call());
  expect(task?.inputExamples).toEqual(task?.examples.map(({ input }) => input));
  expect(task?.prompts).toEqual(task?.inputExamples);
  return (task?.examples ?? []).map(({ input, expected, metadata }) => ({
    input,
    ...(expected && { expected: fromValue(expected) as JsonValue }),
    ...(metadata && { metadata }),
  }));
}

const full: Example[] = [
  { input: "a", expected: "1", metadata: { level: 1 } },
  { input: "b" },
  { input: "a", expected: ["2", "zwei"] },
  { input: "c", metadata: { level: 3 } },
];

describe("examples", () => {
  test("are returned as they were sent, alone and in a list; prompts and inputExamples are their inputs", async () => {
    const id = await create(full);
    expect(await read(id)).toEqual(full);
    const { data } = await tasks.listTasks({}, call());
    expect(data[0]?.examples).toMatchObject(full.map(({ input }) => ({ input })));
    expect(data[0]?.inputExamples).toEqual(["a", "b", "a", "c"]);
  });

  test("without details are those of tasks that were created with inputExamples or prompts", async () => {
    for (const field of ["inputExamples", "prompts"]) {
      const { task } = await tasks.createTask({ ...words, [field]: ["x", "y"] }, call());
      expect(await read(task?.id ?? "")).toEqual([{ input: "x" }, { input: "y" }]);
    }
    expect(await read(await create([{ input: "x", expected: null, metadata: {} }]))).toEqual([{ input: "x" }]);
  });

  test("keep expectations and metadata of equal inputs, in order, when prompts are replaced", async () => {
    const id = await create(full);
    await tasks.updateTask({ id, inputExamples: { values: ["new", "c", "a", "a", "a"] } }, call());
    expect(await read(id)).toEqual([{ input: "new" }, full[3], full[0], full[2], { input: "a" }]);
    await tasks.updateTask({ id, prompts: ["a", "new"] }, call());
    expect(await read(id)).toEqual([full[0], { input: "new" }]);
    await tasks.updateTask({ id, title: "Other" }, call());
    expect(await read(id)).toEqual([full[0], { input: "new" }]);
    await tasks.updateTask({ id, inputExamples: { values: [] } }, call());
    expect(await read(id)).toEqual([]);
  });

  test("are replaced as a whole by new examples; an empty list clears them, except for a STATIC task", async () => {
    for (const type of [TaskType.NORMAL, TaskType.STATIC]) {
      const id = await create(full, { type });
      const changed = [{ input: "a", metadata: { level: 2 } }];
      await tasks.updateTask({ id, examples: { values: messages(changed) } }, call());
      expect(await read(id)).toEqual(changed);
      await tasks.updateTask({ id, examples: { values: [] } }, call());
      expect(await read(id)).toEqual(type === TaskType.STATIC ? changed : []);
    }
  });

  test("keep the details of equal inputs when the previous release changes the prompts", async () => {
    const id = await create(full);
    const change = "UPDATE catalog.task SET prompts = $2 WHERE id = $1";
    await database.sql(change, [id, ["c", "other", "a"]]);
    expect(await read(id)).toEqual([full[3], { input: "other" }, full[0]]);
  });

  test("satisfy the rule that a STATIC task has a prompt", async () => {
    expect(await read(await create([{ input: "a" }], { type: TaskType.STATIC }))).toEqual([{ input: "a" }]);
    await expect(create([], { type: TaskType.STATIC })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test("cannot be sent with inputExamples or prompts", async () => {
    const id = await create(full);
    const alone = { code: Code.InvalidArgument };
    for (const field of ["inputExamples", "prompts"]) {
      await expect(create(full, { [field]: ["a"] })).rejects.toMatchObject(alone);
      const update = {
        id,
        examples: { values: messages(full) },
        [field]: field === "prompts" ? ["a"] : { values: ["a"] },
      };
      await expect(tasks.updateTask(update, call())).rejects.toMatchObject(alone);
    }
    expect(await read(id)).toEqual(full);
  });

  test.each<[string, Partial<Example>]>([
    ["a number", { expected: 4 }],
    ["a list with a number", { expected: ["4", 4] }],
    ["an object", { expected: { text: "4" } }],
    ["too many texts", { expected: Array.from({ length: 1_001 }, () => "4") }],
    ["a long text", { expected: "x".repeat(64 * 1024) }],
    ["large metadata", { metadata: { text: "x".repeat(64 * 1024) } }],
  ])("are refused with %s, by their path", async (_, wrong) => {
    const refused = { code: Code.InvalidArgument };
    await expect(create([{ input: "a" }, { input: "b", ...wrong }])).rejects.toMatchObject(refused);
    const id = await create([{ input: "a" }]);
    const values = messages([{ input: "b", ...wrong }]);
    await expect(tasks.updateTask({ id, examples: { values } }, call())).rejects.toMatchObject(refused);
  });

  test("have 64 KiB each for expectation and metadata", async () => {
    const text = "x".repeat(64 * 1024 - 2);
    const large = [{ input: "a", expected: text, metadata: { t: "x".repeat(64 * 1024 - 8) } }];
    expect(await read(await create(large))).toEqual(large);
  });

  test("are limited in total, and a page of large tasks asks for a smaller limit", async () => {
    const count = Math.floor(taskBytesMax / 61_000);
    const large = (length: number) =>
      Array.from({ length }, (_, at) => ({ input: `${at}`, expected: "x".repeat(60_000) }));
    const tooLarge = {
      code: Code.ResourceExhausted,
      rawMessage: expect.stringMatching(/^The task is too large: .* 2816 KiB$/),
    };
    await expect(create(large(count + 2))).rejects.toMatchObject(tooLarge);
    for (let made = 0; made < 3; made++) await create(large(count));
    await expect(tasks.listTasks({}, call())).rejects.toMatchObject({
      rawMessage: expect.stringMatching(/^This page is larger/),
    });
    expect((await tasks.listTasks({ limit: 1 }, call())).data[0]?.examples).toHaveLength(count);
  });
});

describe("plans", () => {
  test("have the details of the prompts that have any", async () => {
    const id = await create(full);
    const { plans: found } = await plans.getTestPlans({ taskIds: [id] }, call());
    expect(found[0]).toMatchObject({
      inputExamples: ["a", "b", "a", "c"],
      examples: [
        { position: 0, expected: value("1"), metadata: { level: 1 } },
        { position: 2, expected: value(["2", "zwei"]) },
        { position: 3, metadata: { level: 3 } },
      ],
    });
  });
});

describe("imports", () => {
  const importAs = (format: TaskImportFormat, content: string) => tasks.importTasks({ format, content }, call());
  const errors = async (format: TaskImportFormat, content: string) =>
    (await tasks.importTasks({ format, content, dryRun: true }, call())).errors.map(({ row, field }) => [row, field]);
  const { CSV, JSONL } = TaskImportFormat;

  test("read examples from JSONL and from cells of CSV", async () => {
    const { taskIds } = await importAs(JSONL, JSON.stringify({ title: "t", examples: full }));
    expect(await read(taskIds[0] ?? "")).toEqual(full);
    const cell = JSON.stringify(full).replaceAll('"', '""');
    const { taskIds: ofTable } = await importAs(CSV, `title,examples\nt,"${cell}"\n`);
    expect(await read(ofTable[0] ?? "")).toEqual(full);
  });

  test("give the expected answer of a row without definitions to its examples", async () => {
    const { taskIds } = await importAs(CSV, "title,prompt,prompt,expected\nt,a,b,4\n");
    expect(await read(taskIds[0] ?? "")).toEqual([
      { input: "a", expected: "4" },
      { input: "b", expected: "4" },
    ]);
    const row = { title: "t", examples: [{ input: "a" }, { input: "b", expected: "5" }], expected: ["4", "four"] };
    const { taskIds: ofLine } = await importAs(JSONL, JSON.stringify(row));
    expect(await read(ofLine[0] ?? "")).toEqual([
      { input: "a", expected: ["4", "four"] },
      { input: "b", expected: "5" },
    ]);
  });

  test("name the row and field of an error", async () => {
    expect(await errors(CSV, "title,expected\nt,4\n")).toEqual([[2n, "expected"]]);
    expect(await errors(JSONL, JSON.stringify({ title: "t", examples: [{ input: "a", expected: 4 }] }))).toEqual([
      [1n, "examples.0.expected"],
    ]);
    expect(await errors(JSONL, JSON.stringify({ title: "t", prompt: "a", examples: full }))).not.toEqual([]);
    expect(await errors(JSONL, JSON.stringify({ title: "t", inputExamples: ["a"], examples: full }))).not.toEqual([]);
  });

  test("take a task of more than 1 MiB", async () => {
    const large = Array.from({ length: 40 }, (_, at) => ({ input: `${at}`, expected: "x".repeat(40_000) }));
    const { taskIds } = await importAs(JSONL, JSON.stringify({ title: "t", examples: large }));
    expect(await read(taskIds[0] ?? "")).toEqual(large);
  });
});
