// `ems export` and `ems import`: copy an application's content as newline-delimited JSON.

import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseJson } from "@ems/kit/json/exact-number";
import type { Command } from "commander";
import type { ApiClient, Json } from "../api.ts";
import { apiClient, type Cli, printResult } from "../cli.ts";
import { exits, Failure, usage } from "../failure.ts";
import { escapeControls } from "../terminal.ts";
import { exportRecords } from "../transfer/export.ts";
import { Importer } from "../transfer/import.ts";
import { EventImporter } from "../transfer/import-events.ts";
import { progressBar } from "../transfer/progress.ts";
import { header, kinds, type TransferRecord } from "../transfer/record.ts";
import { exportPages, isRowPage, RowImporter, rowsHeader } from "../transfer/rows.ts";
import { writeAtomically } from "../transfer/write-atomically.ts";
import { addRowExports } from "./export-rows.ts";
import { type ImportOptions, importTaskFile, withFileOptions } from "./import-task-file.ts";

export function addTransfer(program: Command, cli: Cli): void {
  const exporting = program
    .command("export [file]")
    .description("export the application as newline-delimited JSON; default to stdout")
    .option(
      "--exact",
      "export every row with its id and times, to import into an empty application of an equal version",
    )
    .action(async (file: string | undefined, { exact }: { exact?: boolean }, command: Command) => {
      const api = apiClient(cli, command);
      const counts: Counts = {};
      const progress = progressBar();
      async function* lines() {
        if (exact === true) return yield* exactLines(api, counts);
        yield `${JSON.stringify(header)}\n`;
        for await (const record of exportRecords(api, progress)) {
          // Escape control characters, because stdout may be a terminal and exported files may be viewed on a terminal.
          yield `${escapeControls(JSON.stringify(record))}\n`;
          counts[record.kind] = (counts[record.kind] ?? 0) + 1;
        }
      }
      try {
        if (file === undefined) await pipeline(lines, cli.stdout, { end: false });
        else await writeAtomically(file, lines);
      } finally {
        progress.end();
      }
      if (file === undefined) return cli.info(summary("Exported", counts));
      printResult(cli, command, counts, () => summary("Exported", counts));
    });
  addRowExports(exporting, cli);
  const importing = program
    .command("import [file]")
    .description(
      "import an export, default from stdin, or a file of tasks, also as other tools write it. Repeat an interrupted import to resume it (an export: within 24 hours)",
    );
  withFileOptions(importing).action(async (file: string | undefined, options: ImportOptions, command: Command) => {
    if (file !== undefined && !(await isExport(file))) {
      await importTaskFile(cli, command, file, options);
      return;
    }
    const api = apiClient(cli, command);
    const importer = new Importer(api);
    let rows: RowImporter | undefined;
    let events: EventImporter | undefined;
    const counts: Counts = {};
    const progress = progressBar();
    if (file !== undefined) progress.begin("import", (await stat(file)).size);
    const source = file === undefined ? cli.stdin : createReadStream(file);
    let bytes = 0;
    try {
      for await (const { text, line } of readLines(source)) {
        const parsed = readLine(text, line);
        if (line === 1 && parsed.type === "trace") events = new EventImporter(api);
        if (events !== undefined) await events.add({ event: parsed, line, bytes: Buffer.byteLength(text) });
        else if (line === 1) {
          rows = parsed.kind === rowsHeader.kind ? new RowImporter(api, text) : undefined;
          assertHeader(parsed);
        } else if (rows !== undefined) await addPage(rows, parsed, line);
        else {
          const record = toRecord(parsed, line);
          await importer.add(record).catch(atLine(line, record.kind));
          counts[record.kind] = (counts[record.kind] ?? 0) + 1;
        }
        bytes += Buffer.byteLength(text) + 1;
        progress.step(bytes);
      }
      await events?.finish();
      await importer.finish();
    } finally {
      progress.end();
    }
    if (events !== undefined) {
      const { count } = events;
      return printResult(
        cli,
        command,
        { lines: count },
        () => `${count.toLocaleString("en")} lines of traces were imported.`,
      );
    }
    if (rows !== undefined) {
      const { counts: inserted } = rows;
      return printResult(cli, command, inserted, () => rowSummary("Imported", inserted));
    }
    const { total, replayed } = importer.changes;
    if (replayed > 0) cli.info(`${replayed} of ${total} changes were made by an earlier import and not repeated.`);
    printResult(cli, command, counts, () => summary("Imported", counts));
  });
}

/** True if the file begins like the header of an export, or like a trace. */
async function isExport(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: unknown) => {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0);
    return (
      bytesRead === 0 ||
      /^\s*\{\s*("kind"\s*:\s*"ems-|"type"\s*:\s*"trace")/.test(buffer.toString("utf8", 0, bytesRead))
    );
  } finally {
    await handle.close();
  }
}

type Counts = Record<string, number>;

async function* exactLines(api: ApiClient, counts: Counts): AsyncGenerator<string> {
  yield `${JSON.stringify({ ...rowsHeader, id: randomUUID(), exportedAt: new Date().toISOString() })}\n`;
  for await (const page of exportPages(api, counts)) yield `${escapeControls(JSON.stringify(page))}\n`;
}

async function* readLines(source: Readable) {
  let line = 0;
  for await (const text of splitLines(source)) yield { text, line: ++line };
  if (line === 0) throw usage("The import is empty.");
}

function assertHeader({ kind, version }: Json): void {
  if (![header, rowsHeader].some((accepted) => accepted.kind === kind && accepted.version === version))
    throw usage("Not an export, or one of an unsupported version.");
}

function toRecord(parsed: Json, line: number): TransferRecord {
  if (!kinds.includes(parsed.kind) || typeof parsed.id !== "string" || typeof (parsed.data ?? "") !== "object")
    throw usage(`Line ${line}: not a record of ${kinds.join(", ")}`);
  return parsed;
}

async function addPage(rows: RowImporter, parsed: Json, line: number): Promise<void> {
  if (!isRowPage(parsed)) throw usage(`Line ${line}: not a page of rows`);
  await rows.add(parsed).catch(atLine(line, parsed.part));
}

/** Splits text only at line feeds, because Node's line reader also splits at U+2028, which JSON may contain. */
async function* splitLines(source: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of source.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function readLine(text: string, line: number): Json {
  try {
    return parseJson(text) ?? {};
  } catch {
    throw usage(`Line ${line}: not JSON`);
  }
}

function atLine(line: number, kind: string) {
  return (error: unknown): never => {
    // A record that was written by hand may lack a field that every export has.
    if (error instanceof TypeError) throw usage(`Line ${line}: not a complete ${kind} record: ${error.message}`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Line ${line}: ${reason}`, error instanceof Failure ? error.exit : exits.failed);
  };
}

function summary(done: string, counts: Counts): string {
  const parts = Object.entries(counts).map(([kind, count]) => {
    const words = kind.replaceAll("_", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return `${count.toLocaleString("en")} ${words}${count === 1 ? "" : "s"}`;
  });
  return `${done} ${parts.length > 0 ? parts.join(", ") : "nothing: the application is empty"}.`;
}

function rowSummary(done: string, counts: Counts): string {
  const parts = Object.entries(counts).map(([part, count]) => `${count.toLocaleString("en")} rows of ${part}`);
  return `${done} ${parts.join(", ")}.`;
}
