// The rows of an import, as objects. Pure.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { TaskImportFormat } from "@ems/proto/catalog/v1/task_service";
import { taskImportRowsMax } from "@ems/proto/limits";
import { parse } from "csv-parse/sync";
import { delimiterOf } from "../uploads/index.ts";

export interface ImportFault {
  readonly row: number;
  /** Column or path; empty for the row itself. */
  readonly field: string;
  readonly message: string;
}

export interface ImportRow {
  readonly row: number;
  readonly fields: JsonObject;
}

export interface ImportedRows {
  /** All rows that have something, wrong ones too. */
  readonly count: number;
  readonly rows: readonly ImportRow[];
  readonly faults: readonly ImportFault[];
}

const texts = ["title", "description", "topic", "topicId", "quickstartId", "type", "status", "expected"];
const names = ["tags", "definitions"];
const inJson = ["inputExamples", "prompts", "metadata", "simulatedPromptSchema"];
const columns = new Set([...texts, ...names, ...inJson, "prompt"]);

export function importRows(format: TaskImportFormat, content: string): ImportedRows {
  const read = format === TaskImportFormat.CSV ? csvRows(content) : jsonRows(content);
  if (read.count > taskImportRowsMax) {
    const message = `There are ${read.count.toLocaleString("en")} rows, and one call imports at most ${taskImportRowsMax.toLocaleString("en")}`;
    return { ...read, rows: [], faults: [{ row: 1, field: "", message }] };
  }
  if (read.count === 0 && read.faults.length === 0)
    return { ...read, faults: [{ row: 1, field: "", message: "There are no tasks" }] };
  return read;
}

function jsonRows(content: string): ImportedRows {
  const faults: ImportFault[] = [];
  const rows: ImportRow[] = [];
  const lines = content.replace(/^\uFEFF/, "").split("\n");
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const fields = jsonIn(line);
    if (isObject(fields)) rows.push({ row: at + 1, fields });
    else faults.push({ row: at + 1, field: "", message: "Expected an object in JSON" });
  }
  return { count: rows.length + faults.length, rows, faults };
}

function csvRows(content: string): ImportedRows {
  let table: string[][];
  try {
    const options = { bom: true, delimiter: delimiterOf(content), relax_column_count: true, skip_empty_lines: true };
    table = parse(content, options) as string[][];
  } catch (error) {
    const message = `This is no CSV: ${error instanceof Error ? error.message : error}`.slice(0, 300);
    return { count: 0, rows: [], faults: [{ row: 1, field: "", message }] };
  }
  const [head = [], ...lines] = table;
  const header = head.map((cell) => cell.trim());
  const faults = headerFaults(header);
  if (faults.length > 0) return { count: lines.length, rows: [], faults };
  const rows = lines.flatMap((cells, at): ImportRow[] => {
    const row = at + 2;
    if (cells.length > header.length) {
      const message = `The row has ${cells.length} cells, and the header ${header.length}`;
      faults.push({ row, field: "", message });
      return [];
    }
    return [{ row, fields: fieldsOf(row, header, cells, faults) }];
  });
  return { count: lines.length, rows, faults };
}

function headerFaults(header: readonly string[]): ImportFault[] {
  return header.flatMap((name, at) => {
    const isColumn = columns.has(name) || /^metadata\../.test(name);
    const isRepeated = name !== "prompt" && header.indexOf(name) < at;
    const isTwice = name.startsWith("metadata.") && header.includes("metadata");
    const message = !isColumn
      ? `No field of a task has this name: ${[...columns].join(", ")}, metadata.<key>`
      : isRepeated
        ? "The column is there twice"
        : isTwice
          ? "Give the column metadata, or columns of its keys"
          : undefined;
    return message === undefined ? [] : [{ row: 1, field: name, message }];
  });
}

/** Empty cells say nothing. */
function fieldsOf(row: number, header: readonly string[], cells: readonly string[], faults: ImportFault[]): JsonObject {
  const fields: Record<string, JsonValue> = {};
  const metadata: Record<string, JsonValue> = {};
  const prompts: string[] = [];
  for (const [at, name] of header.entries()) {
    const cell = cells[at] ?? "";
    if (cell.trim() === "") continue;
    if (name === "prompt") prompts.push(cell);
    else if (name.startsWith("metadata.")) metadata[name.slice("metadata.".length)] = cell;
    else if (names.includes(name)) fields[name] = namesIn(cell);
    else if (inJson.includes(name)) {
      const value = jsonIn(cell);
      if (value === undefined) faults.push({ row, field: name, message: "The cell is no JSON" });
      else fields[name] = value;
    } else fields[name] = ["title", "description", "expected"].includes(name) ? cell : cell.trim();
  }
  if (prompts.length > 0) fields.prompt = prompts;
  if (Object.keys(metadata).length > 0) fields.metadata = metadata;
  return fields;
}

function namesIn(cell: string): JsonValue {
  if (cell.trimStart().startsWith("[")) return jsonIn(cell) ?? cell;
  return cell
    .split(";")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
