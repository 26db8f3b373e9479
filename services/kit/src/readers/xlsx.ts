// Workbooks (Office Open XML).

import { type ReadBudget, UnreadableText } from "./budget.ts";
import type { TableRow } from "./csv.ts";
import { makeStorable } from "./storable-text.ts";
import { unzipXml, zipStored } from "./unzip.ts";
import { xmlTags } from "./xml-tags.ts";

export interface Sheet {
  readonly name: string;
  /** Rows with text. Dates are texts such as `2026-03-01`, or with a time in ISO 8601. */
  readonly rows: readonly TableRow[];
}

export interface XlsxLimits {
  readonly sheets: number;
}

/**
 * Reads the sheets of a workbook. Values are the cells of the rectangle around a sheet's filled cells, which the
 * library allocates. The library blocks the thread, about 0.3 s for 10 MB of XML: use a worker thread.
 */
export async function* readXlsx(bytes: Uint8Array, budget: ReadBudget, limits: XlsxLimits): AsyncGenerator<Sheet> {
  const files = await unzipXml(bytes, budget, "XLSX");
  for (const [name, xml] of Object.entries(files)) measureCells(name, xml, budget);
  const archive = await zipStored(mapValues(files, withoutAstralEntities));
  for (const { sheet, data } of await readWorkbook(archive, limits)) {
    const rows: TableRow[] = [];
    for (const [at, cells] of data.entries()) {
      const texts = cells.map((cell) => makeStorable(cellText(cell), budget));
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      budget.spendBytes(length, { sheet, row: at + 1 });
      if (texts.some((text) => text.trim() !== "")) rows.push({ row: at + 1, cells: texts });
    }
    yield { name: makeStorable(sheet, budget), rows };
  }
}

type Cell = string | number | boolean | Date | null;

async function readWorkbook(archive: Uint8Array, limits: XlsxLimits) {
  const { default: read } = await import("read-excel-file/universal");
  const sheets = await read(new Uint8Array(archive).buffer).catch(() => {
    throw new UnreadableText("The file cannot be read as XLSX");
  });
  const beyond = sheets[limits.sheets];
  if (beyond === undefined) return sheets as { readonly sheet: string; readonly data: Cell[][] }[];
  throw new UnreadableText(`Expected at most ${limits.sheets} sheets`, { sheet: beyond.sheet }, "LIMIT");
}

/** Maximum tags per cell: those of the cell, of its value, and as many again for its row and formula. */
const tagsPerCell = 10;
const rowsMax = 1_048_576;

/** Counts the rectangle around a sheet's filled cells. Other files have no cells. */
function measureCells(name: string, xml: Uint8Array, budget: ReadBudget): void {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  const sheet = name.replace(/^.*\/|\.xml$/gi, "");
  let [rows, columns, cells, tags] = [0, 0, 0, 0];
  let address: string | undefined;
  for (const tag of xmlTags(bytes)) {
    tags += 1;
    if (tags > budget.limits.values * tagsPerCell)
      throw new UnreadableText("The sheet has too many elements", { sheet }, "LIMIT");
    if (tag.isEnd) continue;
    if (tag.name === "row") assertRow(attribute(bytes, tag.attributesStart, tag.end, "r"), sheet);
    else if (tag.name === "c") address = attribute(bytes, tag.attributesStart, tag.end, "r") ?? "";
    else if ((tag.name === "v" || tag.name === "is") && address !== undefined) {
      const cell = cellAt(address, sheet);
      cells += 1;
      rows = Math.max(rows, cell.row);
      columns = Math.max(columns, cell.column);
      address = undefined;
    }
  }
  budget.spendColumns(columns, { sheet, column: columns });
  budget.spendValues(Math.max(rows * columns, cells), { sheet, row: rows, column: columns });
}

/**
 * Removes characters above 16 bits that are written as entities, as openpyxl writes emoji: the library truncates them
 * to 16 bits.
 */
function withoutAstralEntities(xml: Uint8Array): Uint8Array {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  if (!bytes.includes("&#")) return xml;
  const text = bytes.toString().replace(/&#(?:(\d{5,7})|[xX]([0-9a-fA-F]{5,6}));/g, (entity, decimal, hexadecimal) => {
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code > 0xffff && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
  return Buffer.from(text);
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

function assertRow(number: string | undefined, sheet: string): void {
  if (number === undefined || (/^\d{1,7}$/.test(number) && Number(number) <= rowsMax)) return;
  throw new UnreadableText("The number of a row is not one of XLSX", { sheet });
}

/** Parses an address such as `AB12`. */
function cellAt(address: string, sheet: string): { row: number; column: number } {
  const [, letters = "", digits = ""] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? [];
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  if (column === 0) throw new UnreadableText("The address of a cell is not one of XLSX", { sheet });
  return { row: Number(digits), column };
}

/** Returns the attribute as written; addresses and numbers contain no entities. */
function attribute(xml: Buffer, start: number, end: number, name: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  const [, double, single] = pattern.exec(xml.toString("latin1", start, Math.min(end, start + 200))) ?? [];
  return double ?? single;
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (!(cell instanceof Date)) return String(cell);
  // Excel stores times as fractions of a day, which miss a full second by part of a millisecond.
  const seconds = Math.round(cell.getTime() / 1_000) * 1_000;
  const time = Math.abs(seconds - cell.getTime()) <= 1 ? new Date(seconds) : cell;
  return time.toISOString().replace(/T00:00:00\.000Z$/, "");
}
