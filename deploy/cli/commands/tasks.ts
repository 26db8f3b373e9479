// `ems tasks import` and `ems tasks export`: import and export of tasks as a CSV or JSON Lines table.

import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { apiClient, type Cli, printResult } from "../cli.ts";
import { usage } from "../failure.ts";
import { type ReadRow, readTaskRows, tableLines } from "../transfer/task-table.ts";
import { writeAtomically } from "../transfer/write-atomically.ts";
import { type ImportOptions, importTaskFile, withFileOptions } from "./import-task-file.ts";

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
      if (file === undefined) await pipeline(lines, cli.stdout, { end: false });
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
  const command = tasks
    .command("import")
    .description("create and update the tasks of a file: all of them, or none if a row is invalid")
    .argument("<file>", "CSV, XLSX, JSON, JSONL or YAML, also as other tools export it");
  withFileOptions(command).action((file: string, options: ImportOptions, self: Command) =>
    importTaskFile(cli, self, file, options),
  );
}

function findFormat(file: string): "CSV" | "JSONL" {
  if (/\.csv$/i.test(file)) return "CSV";
  if (/\.(?:jsonl|ndjson)$/i.test(file)) return "JSONL";
  throw usage(`${file} is neither .csv nor .jsonl.`);
}
