// Reads the rows of an import as objects. Pure. Each import loads this module in a thread, so it must import little.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import { ReadBudget, type ReadLimits, readCsv, readJsonl, readJsonValue, UnreadableText } from "@ems/kit/readers";
import { largeBodyBytesMax, taskImportColumnsMax, taskImportRowsMax, taskImportValuesMax } from "@ems/proto/limits";
import type { FaultList } from "./import-faults.ts";

/** Limits of one import. The text is never longer than the request body, because decoding JSON escapes shortens it. */
const importLimits: ReadLimits = {
  values: taskImportValuesMax,
  columns: taskImportColumnsMax,
  depth: jsonDepthMax,
  bytes: largeBodyBytesMax,
};

export interface ImportRow {
  readonly row: number;
  readonly fields: JsonObject;
}

export interface ImportedRows {
  /** Number of non-empty rows, including invalid ones; at most one more than allowed. */
  readonly count: number;
  readonly rows: readonly ImportRow[];
  readonly replacedCharacters: number;
}

/** Reads the rows; adds the errors found in them to `faults`. */
export async function readImportRows(isTable: boolean, content: string, faults: FaultList): Promise<ImportedRows> {
  const budget = new ReadBudget(importLimits);
  const table = isTable ? new CsvTable(budget, faults) : new JsonlTable(budget, faults);
  try {
    await table.read(content);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    faults.add({ row: error.position.row ?? 1, field: "", message: error.message });
  }
  const { count } = table;
  if (count > taskImportRowsMax) {
    const message = `There are more than ${taskImportRowsMax.toLocaleString("en")} rows: split them into several imports`;
    faults.replaceWith({ row: 1, field: "", message });
  } else if (count === 0 && faults.count === 0) faults.add({ row: 1, field: "", message: "There are no tasks" });
  const rows = count > taskImportRowsMax ? [] : table.rows;
  return { count, rows, replacedCharacters: budget.replacedCharacters };
}

class JsonlTable {
  count = 0;
  readonly rows: ImportRow[] = [];
  readonly #budget: ReadBudget;
  readonly #faults: FaultList;

  constructor(budget: ReadBudget, faults: FaultList) {
    this.#budget = budget;
    this.#faults = faults;
  }

  async read(content: string): Promise<void> {
    for await (const { row, value, error } of readJsonl(content, this.#budget)) {
      this.count += 1;
      if (this.count > taskImportRowsMax) return;
      if (error !== undefined) this.#faults.add({ row, ...lineFault(error) });
      else if (isObject(value)) {
        this.#budget.spendColumns(Object.keys(value).length, { row });
        this.rows.push({ row, fields: value });
      } else this.#faults.add({ row, field: "", message: "Expected an object in JSON" });
    }
  }
}

const texts = ["title", "description", "topic", "topicId", "quickstartId", "type", "status", "expected"];
const names = new Set(["tags", "definitions"]);
const inJson = new Set(["examples", "inputExamples", "prompts", "metadata", "simulatedPromptSchema"]);
const columns = new Set([...texts, ...names, ...inJson, "prompt"]);
/** Fields whose leading and trailing spaces are kept. */
const free = new Set(["title", "description", "expected"]);
const metadataPrefix = "metadata.";

class CsvTable {
  count = 0;
  readonly rows: ImportRow[] = [];
  readonly #budget: ReadBudget;
  readonly #faults: FaultList;
  #header: readonly string[] | undefined;
  #isHeaderRight = false;

  constructor(budget: ReadBudget, faults: FaultList) {
    this.#budget = budget;
    this.#faults = faults;
  }

  async read(content: string): Promise<void> {
    for await (const { row, cells } of readCsv(content, this.#budget)) {
      if (this.#header === undefined) {
        this.#header = cells.map((cell) => cell.trim());
        this.#isHeaderRight = this.#checkHeader(this.#header);
        continue;
      }
      this.count += 1;
      if (this.count > taskImportRowsMax) return;
      if (!this.#isHeaderRight) continue;
      if (cells.length <= this.#header.length) this.rows.push({ row, fields: this.#fields(row, this.#header, cells) });
      else {
        const message = `The row has ${cells.length} cells, but the header has ${this.#header.length}`;
        this.#faults.add({ row, field: "", message });
      }
    }
  }

  #checkHeader(header: readonly string[]): boolean {
    const seen = new Set<string>();
    const hasMetadata = header.includes("metadata");
    const faultsBefore = this.#faults.count;
    for (const field of header) {
      const message = headerFault(field, seen.has(field), hasMetadata);
      if (message !== undefined) this.#faults.add({ row: 1, field, message });
      seen.add(field);
    }
    return this.#faults.count === faultsBefore;
  }

  /** Builds the fields of a row, without its empty cells. */
  #fields(row: number, header: readonly string[], cells: readonly string[]): JsonObject {
    const fields: Record<string, JsonValue> = {};
    const metadata = new Map<string, JsonValue>();
    const prompts: string[] = [];
    for (const [at, name] of header.entries()) {
      const cell = cells[at] ?? "";
      if (cell.trim() === "") continue;
      if (name === "prompt") prompts.push(cell);
      else if (name.startsWith(metadataPrefix)) metadata.set(name.slice(metadataPrefix.length), cell);
      else if (names.has(name)) fields[name] = this.#names(row, cell);
      else if (inJson.has(name)) {
        const value = this.#json(row, name, cell);
        if (value !== undefined) fields[name] = value;
      } else fields[name] = free.has(name) ? cell : cell.trim();
    }
    if (prompts.length > 0) fields.prompt = prompts;
    // Assignment to properties would lose a key named `__proto__`.
    if (metadata.size > 0) fields.metadata = Object.fromEntries(metadata);
    return fields;
  }

  #json(row: number, field: string, cell: string): JsonValue | undefined {
    try {
      return readJsonValue(cell, this.#budget, { row });
    } catch (error) {
      if (!isInvalid(error)) throw error;
      this.#faults.add({ row, field, message: `The cell is not JSON: ${error.problem}` });
      return undefined;
    }
  }

  /** Reads names that are separated by semicolons or given as a JSON list. */
  #names(row: number, cell: string): JsonValue {
    if (!cell.trimStart().startsWith("[")) return cell.split(";").flatMap((name) => name.trim() || []);
    try {
      return readJsonValue(cell, this.#budget, { row });
    } catch (error) {
      if (!isInvalid(error)) throw error;
      // The later check of the field reports that the text is not a list.
      return cell;
    }
  }
}

function headerFault(name: string, isSeen: boolean, hasMetadata: boolean): string | undefined {
  const isOfMetadata = name.startsWith(metadataPrefix) && name.length > metadataPrefix.length;
  if (!columns.has(name) && !isOfMetadata)
    return `Unknown column. Expected one of: ${[...columns].join(", ")}, metadata.<key>`;
  if (isSeen && name !== "prompt") return "The column occurs twice";
  return isOfMetadata && hasMetadata ? "Use either the column metadata or columns of its keys" : undefined;
}

function isInvalid(error: unknown): error is UnreadableText {
  return error instanceof UnreadableText && error.reason === "INVALID";
}

/** Returns the error; its field is the path within the line, without the leading `$`. */
function lineFault({ position: { path = "$" }, problem }: UnreadableText) {
  return { field: path.replace(/^\$\.?/, ""), message: problem };
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}
