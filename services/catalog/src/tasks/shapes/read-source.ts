// Reads the text of an import as records, whatever its format.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import {
  type FileFormat,
  type ReadBudget,
  readCsv,
  readCsvCell,
  readJsonl,
  readJsonValue,
  readXlsx,
  readYaml,
  recognizeFormat,
  type TableRow,
  UnreadableText,
  type YamlLines,
} from "@ems/kit/readers";
import { readMessages } from "./conversation.ts";
import { type Column, isBlank, isObject, type SourceRecord } from "./record.ts";

export interface Source {
  readonly format: FileFormat;
  /** True if values are texts of cells. */
  readonly isTable: boolean;
  readonly columns: readonly Column[];
  readonly records: readonly SourceRecord[];
  readonly blankRows: number;
  /** Number of rows that are not blank, including unreadable ones; at most one more than `rowsMax`. */
  readonly count: number;
  /** The whole of a JSON or YAML text. */
  readonly document?: JsonValue;
  readonly lines: YamlLines;
}

type AddFault = (fault: { row: number; field: string; message: string }) => void;

export interface SourceText {
  readonly format: FileFormat | undefined;
  readonly content: string;
  readonly rowsMax: number;
}

export async function readSource(text: SourceText, budget: ReadBudget, addFault: AddFault): Promise<Source> {
  const format = text.format ?? recognizeFormat(text.content);
  switch (format) {
    case "CSV":
      return readTable(format, readCells(text.content, budget), text.rowsMax, budget, addFault);
    case "XLSX":
      return readTable(format, readSheet(text.content, budget), text.rowsMax, budget, addFault);
    case "JSONL":
      return readLines(text, budget, addFault);
    case "JSON":
      return readDocument(format, readJsonValue(unmarked(text.content), budget, {}), text.rowsMax, new WeakMap());
    case "YAML": {
      const lines: YamlLines = new WeakMap();
      const documents = await Array.fromAsync(readYaml(text.content, budget, lines));
      const filled = documents.filter((document) => !isBlank(document));
      const document = filled.length > 1 ? filled : (filled[0] ?? null);
      return readDocument(format, document, text.rowsMax, lines);
    }
  }
}

const unmarked = (text: string) => (text.startsWith("\ufeff") ? text.slice(1) : text);

/** Reads a CSV table whose cells may be protected against running as formulas. */
async function* readCells(content: string, budget: ReadBudget): AsyncGenerator<TableRow> {
  for await (const { row, cells } of readCsv(content, budget)) yield { row, cells: cells.map(readCsvCell) };
}

async function* readSheet(content: string, budget: ReadBudget): AsyncGenerator<TableRow> {
  for await (const { rows } of readXlsx(Buffer.from(content, "base64"), budget, { sheets: 50 })) {
    if (rows.length === 0) continue;
    yield* rows;
    return;
  }
}

async function readTable(
  format: FileFormat,
  rows: AsyncIterable<TableRow>,
  rowsMax: number,
  budget: ReadBudget,
  addFault: AddFault,
): Promise<Source> {
  let columns: Column[] | undefined;
  const records: SourceRecord[] = [];
  let [count, blankRows] = [0, 0];
  for await (const { row, cells } of rows) {
    if (columns === undefined) {
      columns = headerColumns(cells);
      continue;
    }
    if (cells.every((cell) => cell.trim() === "")) {
      blankRows += 1;
      continue;
    }
    count += 1;
    if (count > rowsMax) break;
    const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
    if (width > columns.length) {
      const message = `The row has ${width} cells, but the header has ${columns.length}`;
      addFault({ row, field: "", message });
      continue;
    }
    const values = new Map<string, JsonValue>();
    for (const [at, { key }] of columns.entries()) {
      const cell = cells[at] ?? "";
      if (cell.trim() !== "") values.set(key, cell);
    }
    records.push({ row, values });
  }
  const filled = (columns ?? []).filter(
    ({ key, name }) => name !== "" || records.some(({ values }) => values.has(key)),
  );
  const named = filled.map((column) => (column.name === "" ? { ...column, name: column.key } : column));
  const common = { format, isTable: true, columns: named, records, lines: new WeakMap() };
  return { ...common, blankRows: blankRows + budget.emptyLines, count };
}

/** Builds columns whose keys differ even if their names do not. */
function headerColumns(cells: readonly string[]): Column[] {
  const seen = new Map<string, number>();
  return cells.map((cell, at) => {
    const name = cell.trim();
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (name === "") return { key: `column ${at + 1}`, name };
    return { key: count === 1 ? name : `${name}#${count}`, name };
  });
}

async function readLines({ content, rowsMax }: SourceText, budget: ReadBudget, addFault: AddFault): Promise<Source> {
  const records: SourceRecord[] = [];
  let count = 0;
  for await (const { row, value, error } of readJsonl(content, budget)) {
    if (value !== undefined && isBlank(value)) {
      budget.emptyLines += 1;
      continue;
    }
    count += 1;
    if (count > rowsMax) break;
    if (error !== undefined) {
      const { position, problem } = error;
      // The path within the line, without the leading `$`.
      addFault({ row, field: (position.path ?? "$").replace(/^\$\.?/, ""), message: problem });
    } else if (isObject(value)) {
      budget.spendColumns(Object.keys(value).length, { row });
      records.push(toRecord(row, value));
    } else addFault({ row, field: "", message: "Expected an object in JSON" });
  }
  const columns = objectColumns(records);
  const common = { format: "JSONL" as const, isTable: false, columns, records, lines: new WeakMap() };
  return { ...common, blankRows: budget.emptyLines, count };
}

function toRecord(row: number, fields: JsonObject): SourceRecord {
  return { row, values: new Map(Object.entries(fields).filter(([, value]) => value !== null)) };
}

function objectColumns(records: readonly SourceRecord[]): Column[] {
  const names = new Set<string>();
  for (const { values } of records) for (const name of values.keys()) names.add(name);
  return [...names].map((name) => ({ key: name, name }));
}

function readDocument(format: FileFormat, document: JsonValue, rowsMax: number, lines: YamlLines): Source {
  const items = findItems(document, 0) ?? [];
  const isWhole = items === document;
  const records: SourceRecord[] = [];
  let [count, blankRows] = [0, 0];
  for (const [at, item] of items.entries()) {
    if (isBlank(item)) {
      blankRows += 1;
      continue;
    }
    count += 1;
    if (count > rowsMax) break;
    const row = (isWhole || format === "YAML" ? lines.get(items)?.get(at) : undefined) ?? at + 1;
    if (!isObject(item)) throw new UnreadableText("Expected an object", { row });
    // Datasets of Hugging Face wrap each row.
    const fields = isObject(item.row) && "row_idx" in item ? item.row : item;
    records.push(toRecord(row, fields));
  }
  const columns = objectColumns(records);
  return { format, isTable: false, columns, records, blankRows, count, document, lines };
}

/** Members under which tools put the rows of a file. */
const wrappers = [
  ...["goldens", "conversational_goldens", "test_cases", "testCases", "examples", "items", "rows", "records"],
  ...["data", "dataset", "samples", "entries", "tests", "result", "results", "events"],
];
const wrapperDepthMax = 3;

/** Finds the rows of a document: a list, a list in a wrapper, or columns. */
function findItems(document: JsonValue, depth: number): readonly JsonValue[] | undefined {
  if (Array.isArray(document)) return document;
  if (!isObject(document)) return undefined;
  for (const name of wrappers) {
    const member = document[name];
    const found =
      depth < wrapperDepthMax && member !== undefined && member !== null ? findRows(member, depth) : undefined;
    if (found !== undefined) return found;
  }
  return columnItems(document) ?? (depth === 0 ? [document] : undefined);
}

function findRows(member: JsonValue, depth: number): readonly JsonValue[] | undefined {
  if (Array.isArray(member)) return member.length > 0 && member.every(isObject) ? member : undefined;
  return findItems(member, depth + 1);
}

/** Reads a table by columns, as data frames write it: lists of equal length, or objects by the row's number. */
function columnItems(document: JsonObject): readonly JsonValue[] | undefined {
  const columns = Object.entries(document);
  const lists = columns.map(([, values]) => {
    if (Array.isArray(values)) return values;
    if (!isObject(values)) return [];
    return Object.keys(values).every((key) => /^\d+$/.test(key)) ? (Object.values(values) as JsonValue[]) : [];
  });
  const [first] = lists;
  if (columns.length < 2 || first === undefined || first.length === 0) return undefined;
  // A single row may have a chat and as many alternatives.
  if (lists.some((list) => list.length !== first.length || readMessages(list) !== undefined)) return undefined;
  return first.map((_, at) => Object.fromEntries(columns.map(([name], index) => [name, lists[index]?.[at] ?? null])));
}
