// The part of `ems import` and `ems tasks import` that reads files of tasks.

import { basename } from "node:path";
import type { Command } from "commander";
import type { Json } from "../api.ts";
import { apiClient, type Cli, printResult } from "../cli.ts";
import { Failure, usage } from "../failure.ts";
import { table } from "../table.ts";
import { readConfigFiles } from "../transfer/config-files.ts";
import { type FileOutcome, importFile, readFileContent } from "../transfer/import-file.ts";

export interface ImportOptions {
  readonly dryRun?: boolean;
  readonly map?: string[];
  readonly metadata?: boolean;
  readonly overwrite?: boolean;
  readonly source?: string;
  readonly expand?: boolean;
}

export function withFileOptions(command: Command): Command {
  return command
    .option("--dry-run", "only print what the rows become, and the errors")
    .option("--map <COLUMN=FIELD...>", "fields of columns, such as question=prompt answer=expected")
    .option("--metadata", "import columns without a place as metadata")
    .option("--overwrite", "replace tasks that were edited here since their last import")
    .option("--source <name>", "set of rows that ids belong to; default: the name of the file")
    .option("--no-expand", "keep lists in variables of promptfoo as one value");
}

export async function importTaskFile(cli: Cli, command: Command, file: string, options: ImportOptions): Promise<void> {
  const { dryRun = false, source = basename(file) } = options;
  if (/\.[cm]?[jt]s$/.test(file)) throw usage(`${file} is code, which is not run. Write its value as JSON or YAML.`);
  const content = await readFileContent(file);
  const { texts: files, omitted } = await readConfigFiles(file, content);
  for (const sentence of omitted) cli.info(sentence);
  const outcome = await importFile(apiClient(cli, command), content, { ...options, source, files });
  if (outcome.errors.length > 0) {
    printResult(cli, command, outcome, () => errorsText(outcome));
    const count = outcome.errors.length + outcome.issuesOmitted;
    throw new Failure(`Nothing was imported: ${count} errors in ${outcome.rows} rows.`);
  }
  for (const sentence of remarks(outcome)) cli.info(sentence);
  if (dryRun && outcome.preview.length > 0) cli.info(previewText(outcome));
  printResult(cli, command, outcome, () => (dryRun ? `${outcome.rows} tasks can be imported.` : resultText(outcome)));
}

function resultText({ rows, created, updated, unchanged, conflicts }: FileOutcome): string {
  if (created === rows) return `${created} tasks were imported.`;
  const conflict = conflicts > 0 ? `, ${conflicts} edited here and kept (--overwrite replaces them)` : "";
  return `${created} tasks were created, ${updated} updated, ${unchanged} unchanged${conflict}.`;
}

function remarks(outcome: FileOutcome): string[] {
  const { blankRows, replacedCharacters, unmappedColumns, definitionsCreated, notImportedYet, notes } = outcome;
  const waiting = notImportedYet.map(({ row, message }: Json) => `  ${row === 0 ? "" : `${row}: `}${message}`);
  const omitted = outcome.notImportedYetOmitted > 0 ? [`  and ${outcome.notImportedYetOmitted} more`] : [];
  return [
    ...(outcome.shape === null || outcome.shape === "TASKS" ? [] : [`Recognized: ${outcome.shape}`]),
    ...notes,
    ...(blankRows > 0 ? [`${blankRows} blank rows were ignored.`] : []),
    ...(replacedCharacters > 0
      ? [`${replacedCharacters} characters that cannot be stored were replaced by U+FFFD.`]
      : []),
    ...(unmappedColumns.length > 0 ? [`Not imported, use --map or --metadata: ${unmappedColumns.join(", ")}`] : []),
    ...(definitionsCreated > 0 ? [`Evaluators: ${definitionsCreated} new`] : []),
    ...(waiting.length > 0 ? ["Not imported yet:", ...waiting, ...omitted] : []),
  ];
}

function previewText({ preview }: FileOutcome): string {
  return table(
    [{ title: "Row", alignRight: true }, "Becomes", "Title", "Prompt", "Expected", "Metadata"],
    preview.map(({ row, action, title, prompts, expected, metadataKeys }: Json) => [
      String(row),
      action,
      title,
      prompts.join(" | "),
      expected.join(" | "),
      metadataKeys.join(", "),
    ]),
  );
}

function errorsText({ errors, issuesOmitted }: FileOutcome): string {
  const listed = table(
    [{ title: "Row", alignRight: true }, "Field", "Error"],
    errors.map(({ row, field, message }: Json) => [String(row), field, message]),
  );
  return issuesOmitted > 0 ? `${listed}\n${issuesOmitted} more errors are not listed.` : listed;
}
