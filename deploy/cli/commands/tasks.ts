// `ems tasks import`: tasks of a table, all of them or none.

import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, printResult } from "../cli.ts";
import { Failure, usage } from "../failure.ts";
import { table } from "../table.ts";

interface ImportOptions {
  readonly dryRun?: boolean;
}

export function addTasks(program: Command, cli: Cli): void {
  program
    .command("tasks")
    .description("tasks of tables")
    .command("import")
    .description("create the tasks of a CSV or JSONL file: all of them, or none when a row is wrong")
    .argument("<file>", "a file whose name ends in .csv, .jsonl or .ndjson")
    .option("--dry-run", "only say what is wrong")
    .action(async (file: string, { dryRun = false }: ImportOptions, command: Command) => {
      const request = { format: formatOf(file), content: await contentOf(file) };
      const api = apiClient(cli, command);
      const checked = await api.post("/v0/tasks/import", { ...request, dryRun: true });
      if (checked.errors.length > 0) {
        printResult(cli, command, checked, () => errorsText(checked.errors));
        throw new Failure(`Nothing was imported: ${checked.errors.length} errors in ${checked.rows} rows.`);
      }
      const answer = dryRun ? checked : await api.post("/v0/tasks/import", request);
      printResult(cli, command, answer, () =>
        dryRun ? `${answer.rows} tasks can be imported.` : `${answer.created} tasks were imported.`,
      );
    });
}

const errorsText = (errors: readonly Json[]) =>
  table(
    [{ title: "Row", alignRight: true }, "Field", "Error"],
    errors.map(({ row, field, message }) => [String(row), field, message]),
  );

function formatOf(file: string): "CSV" | "JSONL" {
  if (/\.csv$/i.test(file)) return "CSV";
  if (/\.(?:jsonl|ndjson)$/i.test(file)) return "JSONL";
  throw usage(`${file} is neither .csv nor .jsonl.`);
}

function contentOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: Error) => {
    throw usage(`${file} cannot be read: ${error.message}`);
  });
}
