// `ems tasks import` and `ems tasks export`: import and export of tasks as a CSV or JSON Lines table.

import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { decodeBytes, ReadBudget } from "@ems/kit/readers";
import { bodyBytesMax } from "@ems/proto/limits";
import type { Command } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, printResult } from "../cli.ts";
import { Failure, usage } from "../failure.ts";
import { table } from "../table.ts";
import { type ReadRow, readTaskRows, tableLines } from "../transfer/task-table.ts";
import { writeAtomically } from "../transfer/write-atomically.ts";

interface ImportOptions {
  readonly dryRun?: boolean;
}

interface ExportOptions {
  readonly topic?: string[];
  readonly tag?: string[];
}

export function addTasks(program: Command, cli: Cli): void {
  const tasks = program.command("tasks").description("import and export of tasks as tables");
  addImport(tasks, cli);
  addExport(tasks, cli);
}

function addExport(tasks: Command, cli: Cli): void {
  tasks
    .command("export")
    .description("write ACTIVE and DRAFT tasks as a table that import can read")
    .argument("[file]", "file with the ending .csv, .jsonl or .ndjson; default JSONL to stdout")
    .option("--topic <ids...>", "only tasks of these topics")
    .option("--tag <ids...>", "only tasks with one of these tags")
    .action(async (file: string | undefined, { topic = [], tag = [] }: ExportOptions, command: Command) => {
      const format = file === undefined ? "JSONL" : findFormat(file);
      const counts = { tasks: 0, withoutExpectations: 0 };
      async function* counted(rows: AsyncIterable<ReadRow>) {
        for await (const { row, isExpectationLost } of rows) {
          counts.tasks += 1;
          if (isExpectationLost) counts.withoutExpectations += 1;
          yield row;
        }
      }
      async function* lines() {
        const rows = readTaskRows(apiClient(cli, command), { topicId: topic, tagId: tag });
        yield* tableLines(format, counted(rows));
      }
      if (file === undefined) await pipeline(lines, process.stdout, { end: false });
      else await writeAtomically(file, lines);
      const lost = counts.withoutExpectations;
      if (lost > 0)
        cli.info(
          `${lost} ${lost === 1 ? "task expects" : "tasks expect"} a list or different texts, which a table cannot hold: ems export has them.`,
        );
      const text = `${counts.tasks} ${counts.tasks === 1 ? "task was" : "tasks were"} exported.`;
      if (file === undefined) return cli.info(text);
      printResult(cli, command, counts, () => text);
    });
}

function addImport(tasks: Command, cli: Cli): void {
  tasks
    .command("import")
    .description("create the tasks of a CSV or JSONL file: all of them, or none if a row is invalid")
    .argument("<file>", "file with the ending .csv, .jsonl or .ndjson")
    .option("--dry-run", "only print the errors")
    .action(async (file: string, { dryRun = false }: ImportOptions, command: Command) => {
      const request = { format: findFormat(file), content: await readContent(file) };
      const api = apiClient(cli, command);
      const checked = await api.post("/v0/tasks/import", { ...request, dryRun: true });
      if (checked.errors.length > 0) {
        printResult(cli, command, checked, () => errorsText(checked));
        const count = checked.errors.length + checked.issuesOmitted;
        throw new Failure(`Nothing was imported: ${count} errors in ${checked.rows} rows.`);
      }
      const answer = dryRun ? checked : await api.post("/v0/tasks/import", request);
      if (answer.replacedCharacters > 0)
        cli.info(`${answer.replacedCharacters} characters that cannot be stored were replaced by U+FFFD.`);
      printResult(cli, command, answer, () =>
        dryRun ? `${answer.rows} tasks can be imported.` : `${answer.created} tasks were imported.`,
      );
    });
}

function errorsText({ errors, issuesOmitted }: Json): string {
  const listed = table(
    [{ title: "Row", alignRight: true }, "Field", "Error"],
    errors.map(({ row, field, message }: Json) => [String(row), field, message]),
  );
  return issuesOmitted > 0 ? `${listed}\n${issuesOmitted} more errors are not listed.` : listed;
}

function findFormat(file: string): "CSV" | "JSONL" {
  if (/\.csv$/i.test(file)) return "CSV";
  if (/\.(?:jsonl|ndjson)$/i.test(file)) return "JSONL";
  throw usage(`${file} is neither .csv nor .jsonl.`);
}

/** Reads the file and checks only its encoding. The server replaces and counts characters that it cannot store. */
async function readContent(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return decodeBytes(bytes, new ReadBudget({ values: 0, columns: 0, depth: 0, bytes: bodyBytesMax }));
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
