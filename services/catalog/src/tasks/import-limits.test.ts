// Expensive imports finish within time limits and do not block other work of the process.

import { ConnectError } from "@ems/kit/errors";
import { issuesOfError } from "@ems/kit/json/violations";
import { TaskImportFormat } from "@ems/proto/catalog/v1/task_service";
import { taskImportColumnsMax, taskImportErrorsMax, taskImportValuesMax } from "@ems/proto/limits";
import { testCall } from "@ems/test-support";
import { measureHolds } from "@ems/test-support/event-loop";
import { hostileImports } from "@ems/test-support/hostile-imports";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, tenant } = await catalogHarness();
const { CSV, JSONL } = TaskImportFormat;

/** Less than a call's deadline; on an idle machine, the slowest import takes half a second. */
const slowestMs = 9_000;
/** Below 100 on an idle machine. This limit is higher, because other test files share the CPU and its caches. */
const longestHoldMs = 250;
const answerBytesMax = 64 * 1024;

const check = (format: TaskImportFormat, content: string) =>
  tasks.importTasks({ format, content, dryRun: true }, testCall(tenant));

test.for(hostileImports())(
  "$name: refused, or left out, with few messages, without blocking the event loop",
  async ({ format, content }) => {
    const { result, ...measured } = await measureHolds(() => check(TaskImportFormat[format], content));
    const found = [...result.errors, ...result.notImportedYet];
    expect(found.length).toBeGreaterThan(0);
    for (const { length } of [result.errors, result.notImportedYet])
      expect(length).toBeLessThanOrEqual(taskImportErrorsMax);
    expect(Math.max(...found.map(({ message }) => message.length))).toBeLessThanOrEqual(200);
    const answer = JSON.stringify(result, (_, value) => (typeof value === "bigint" ? Number(value) : value));
    expect(Buffer.byteLength(answer)).toBeLessThan(answerBytesMax);
    expect(measured.longestHoldMs).toBeLessThan(longestHoldMs);
    expect(measured.elapsedMs).toBeLessThan(slowestMs);
  },
);

test("errors beyond the limit are counted, in a dry run and in an import", async () => {
  const content = ["title,status", ...Array.from({ length: 250 }, () => "a,WRONG")].join("\n");
  const checked = await check(CSV, content);
  expect(checked.errors).toHaveLength(taskImportErrorsMax);
  expect(checked).toMatchObject({ rows: 250n, issuesOmitted: 150n });
  expect(checked.errors.map(({ row }) => Number(row))).toEqual(Array.from({ length: 100 }, (_, at) => at + 2));
  const refused: unknown = await tasks.importTasks({ format: CSV, content }, testCall(tenant)).catch((error) => error);
  expect(refused).toBeInstanceOf(ConnectError);
  if (refused instanceof ConnectError) expect(issuesOfError(refused).length).toBeGreaterThan(10);
});

test("columns and values may reach their limits but not exceed them", async () => {
  const header = (count: number) =>
    `title,${Array.from({ length: count - 1 }, (_, at) => `metadata.${at}`).join(",")}\na`;
  expect((await check(CSV, header(taskImportColumnsMax))).errors).toEqual([]);
  const columns = `Expected at most 1,000 columns (row 1, column 1001)`;
  expect((await check(CSV, header(taskImportColumnsMax + 1))).errors).toMatchObject([{ row: 1n, message: columns }]);
  const list = (values: number) => `{"title":"a","metadata":{"a":[${Array(values).fill(1).join()}]}}`;
  const [tooMany] = (await check(JSONL, list(taskImportValuesMax))).errors;
  expect(tooMany?.message).toMatch(/^Expected at most 100,000 values/);
  const [tooLarge] = (await check(JSONL, list(taskImportValuesMax - 10))).errors;
  expect(tooLarge?.message).not.toMatch(/values/);
});

test("characters that PostgreSQL cannot store are replaced and counted", async () => {
  const answer = await tasks.importTasks({ format: CSV, content: "title,description\na\0,b\0\0" }, testCall(tenant));
  expect(answer).toMatchObject({ created: 1n, replacedCharacters: 3n });
  const { task } = await tasks.getTask({ id: answer.taskIds[0] ?? "" }, testCall(tenant));
  expect(task).toMatchObject({ title: "a\ufffd", description: "b\ufffd\ufffd" });
  const line = '{"title": "a\\u0000", "metadata": {"\\ud800": "\\udfff"}}';
  expect(await check(JSONL, line)).toMatchObject({ errors: [], replacedCharacters: 3n });
});
