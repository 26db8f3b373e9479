// Splits a file of rows into pieces that fit in one import each. Every piece has the same columns, or the same document
// around its rows.

import { parseJson } from "@ems/kit/json/exact-number";
import { type FileFormat, ReadBudget, readCsv, readXlsx, readYaml, recognizeFormat } from "@ems/kit/readers";
import { taskImportRowsMax, taskImportValuesMax } from "@ems/proto/limits";
import type { Json } from "../api.ts";

export interface FilePiece {
  readonly format: FileFormat;
  readonly content: string;
  /** Rows in the file, by their position in the piece. */
  readonly rows: readonly number[];
  /** Row of the piece's first row: 2 in a table with a header. */
  readonly firstRow: number;
}

/** A file of rows that can be split. */
export interface RowFile {
  readonly format: FileFormat;
  /** Number of rows; undefined if the file is one document without rows to split. */
  readonly count: number | undefined;
  /** Returns the pieces; `keys` names the columns whose equal values are numbered, so that equal rows stay apart. */
  pieces(keys: readonly string[]): Generator<FilePiece>;
}

/** The file is on the user's own machine: the limits only stop a damaged one. */
const limits = { values: 50_000_000, columns: 100_000, depth: 100, bytes: 1024 ** 3 };
const pieceBytesMax = 4 * 1024 * 1024;
const occurrenceColumn = "__occurrence";

export async function openRowFile(content: string): Promise<RowFile> {
  const format = recognizeFormat(content);
  const budget = new ReadBudget(limits);
  if (format === "CSV") return tableFile(format, content, await Array.fromAsync(readCsv(content, budget)));
  if (format === "XLSX") {
    const sheets = await Array.fromAsync(readXlsx(Buffer.from(content, "base64"), budget, { sheets: 50 }));
    return tableFile(format, content, sheets.find(({ rows }) => rows.length > 0)?.rows ?? []);
  }
  if (format === "JSONL") return lineFile(content);
  const documents = format === "JSON" ? [parseJson(content)] : await Array.fromAsync(readYaml(content, budget));
  return documentFile(format, content, documents[0]);
}

interface Numbered<Row> {
  readonly row: number;
  readonly value: Row;
}

function tableFile(
  format: FileFormat,
  content: string,
  rows: readonly { readonly row: number; readonly cells: readonly string[] }[],
): RowFile {
  const [header, ...dataRows] = rows;
  const names = header?.cells.map((cell) => cell.trim()) ?? [];
  const filled = dataRows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const sizeMax = Math.max(1, Math.floor((taskImportValuesMax * 0.9) / (names.length + 1)));
  return {
    format,
    count: filled.length,
    *pieces(keys) {
      if (filled.length <= Math.min(taskImportRowsMax, sizeMax)) {
        yield { format, content, rows: rows.map(({ row }) => row).slice(1), firstRow: 2 };
        return;
      }
      const at = keys.map((key) => names.indexOf(key));
      const number = numberer();
      const values = filled.map(({ row, cells }) => {
        const padded = names.map((_, index) => cells[index] ?? "");
        const more = cells.slice(names.length);
        return { row, value: csvLine([...padded, number(at.map((index) => cells[index] ?? "")), ...more]) };
      });
      const head = csvLine([...names, occurrenceColumn]);
      for (const group of groups(values, ({ value }) => value.length, sizeMax))
        yield piece("CSV", [head, ...group.map(({ value }) => value)].join(""), group, 2);
    },
  };
}

function lineFile(content: string): RowFile {
  const lines = content.split("\n").flatMap((value, at) => (value.trim() === "" ? [] : [{ row: at + 1, value }]));
  return {
    format: "JSONL",
    count: lines.length,
    *pieces(keys) {
      if (lines.length <= taskImportRowsMax) {
        yield { format: "JSONL", content, rows: content.split("\n").map((_, at) => at + 1), firstRow: 1 };
        return;
      }
      const number = numberer();
      const numbered = lines.map(({ row, value }) => ({ row, value: numberLine(value, keys, number) }));
      for (const group of groups(numbered, ({ value }) => value.length))
        yield piece("JSONL", group.map(({ value }) => value).join("\n"), group, 1);
    },
  };
}

function numberLine(line: string, keys: readonly string[], number: (values: readonly unknown[]) => string): string {
  try {
    return JSON.stringify(numberRow(parseJson(line), keys, number));
  } catch {
    // The service reports the line.
    return line;
  }
}

function numberRow(row: Json, keys: readonly string[], number: (values: readonly unknown[]) => string): Json {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row;
  return { ...row, [occurrenceColumn]: number(keys.map((key) => valueAt(row, key))) };
}

const valueAt = (row: Json, key: string): unknown =>
  key in row ? row[key] : key.split(".").reduce((value: Json, name) => value?.[name], row);

function documentFile(format: FileFormat, content: string, document: Json): RowFile {
  const found = findRows(document, 0);
  const items = found?.items.map((value, at): Numbered<Json> => ({ row: at + 1, value }));
  return {
    format,
    count: items?.length,
    *pieces(keys) {
      if (found === undefined || items === undefined || items.length <= taskImportRowsMax) {
        yield { format, content, rows: [], firstRow: 1 };
        return;
      }
      const number = numberer();
      const numbered = items.map(({ row, value }) => ({ row, value: numberRow(value, keys, number) }));
      for (const group of groups(numbered, ({ value }) => JSON.stringify(value).length))
        yield piece("JSON", JSON.stringify(found.wrap(group.map(({ value }) => value))), group, 1);
    },
  };
}

interface FoundRows {
  readonly items: readonly Json[];
  /** Returns the document with other rows. */
  readonly wrap: (items: readonly Json[]) => Json;
}

const depthMax = 3;

/** Finds the longest list of objects in a document. */
function findRows(document: Json, depth: number): FoundRows | undefined {
  if (Array.isArray(document)) return { items: document, wrap: (items) => items };
  if (typeof document !== "object" || document === null || depth >= depthMax) return undefined;
  let longest: FoundRows | undefined;
  for (const [name, member] of Object.entries(document)) {
    const found = findRows(member, depth + 1);
    if (found === undefined || found.items.length <= (longest?.items.length ?? 0)) continue;
    longest = { items: found.items, wrap: (items) => ({ ...document, [name]: found.wrap(items) }) };
  }
  return longest;
}

/** Numbers equal values, from 1. */
function numberer(): (values: readonly unknown[]) => string {
  const counts = new Map<string, number>();
  return (values) => {
    const key = JSON.stringify(values);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return String(count);
  };
}

function piece(format: FileFormat, content: string, group: readonly Numbered<unknown>[], firstRow: number): FilePiece {
  return { format, content, rows: group.map(({ row }) => row), firstRow };
}

function* groups<Row>(
  rows: readonly Numbered<Row>[],
  getSize: (row: Numbered<Row>) => number,
  countMax = taskImportRowsMax,
): Generator<Numbered<Row>[]> {
  let group: Numbered<Row>[] = [];
  let size = 0;
  for (const row of rows) {
    const own = getSize(row);
    if (group.length > 0 && (group.length >= Math.min(countMax, taskImportRowsMax) || size + own > pieceBytesMax)) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(row);
    size += own;
  }
  if (group.length > 0) yield group;
}

const csvLine = (cells: readonly string[]) =>
  `${cells.map((cell) => (/[",\r\n;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
