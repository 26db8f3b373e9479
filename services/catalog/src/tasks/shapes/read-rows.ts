// Reads the text of an import as rows in the vocabulary of tasks. Pure. Each import loads this module in a thread, so it
// must import little.

import type { JsonValue } from "@bufbuild/protobuf";
import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import { type FileFormat, ReadBudget, type ReadLimits, readJsonValue, UnreadableText } from "@ems/kit/readers";
import { largeBodyBytesMax, taskImportColumnsMax, taskImportRowsMax, taskImportValuesMax } from "@ems/proto/limits";
import type { FaultList } from "../import-faults.ts";
import { answersNote, listAnswered } from "./answers.ts";
import { convertRecord } from "./convert.ts";
import { type PlanOptions, planColumns } from "./plan.ts";
import { readConfigFiles } from "./promptfoo/config-files.ts";
import { isPromptfoo } from "./promptfoo/is-promptfoo.ts";
import { readPromptfoo } from "./promptfoo/read-promptfoo.ts";
import { readSource, type Source } from "./read-source.ts";
import type { ImportRow, Waiting } from "./record.ts";
import type { ShapeName } from "./shapes.ts";

/** Limits of one import. The text is never longer than the request body, because decoding JSON escapes shortens it. */
const importLimits: ReadLimits = {
  values: taskImportValuesMax,
  columns: taskImportColumnsMax,
  depth: jsonDepthMax,
  bytes: largeBodyBytesMax,
};

export interface ReadOptions extends PlanOptions {
  readonly format: FileFormat | undefined;
  readonly content: string;
  readonly expandsLists: boolean;
  /** Texts of files to which a configuration refers, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface ReadRows {
  /** Number of non-blank rows, including invalid ones; at most one more than allowed. */
  readonly count: number;
  readonly rows: readonly ImportRow[];
  readonly replacedCharacters: number;
  readonly shape: ShapeName | undefined;
  readonly format: FileFormat | undefined;
  readonly blankRows: number;
  readonly columns: readonly { readonly name: string; readonly becomes: string }[];
  readonly waiting: readonly Waiting[];
  readonly notes: readonly string[];
}

const nothing: ReadRows = {
  count: 0,
  rows: [],
  replacedCharacters: 0,
  shape: undefined,
  format: undefined,
  blankRows: 0,
  columns: [],
  waiting: [],
  notes: [],
};

/** Reads the rows; adds the errors found in them to `faults`. */
export async function readRows(options: ReadOptions, faults: FaultList): Promise<ReadRows> {
  const budget = new ReadBudget(importLimits);
  const read = await tryRead(options, budget, faults);
  const { count } = read;
  if (count > taskImportRowsMax) {
    const message = `There are more than ${taskImportRowsMax.toLocaleString("en")} rows: split them into several imports`;
    faults.replaceWith({ row: 1, field: "", message });
  } else if (count === 0 && faults.count === 0 && read.waiting.length === 0)
    faults.add({ row: 1, field: "", message: "There are no tasks" });
  const rows = count > taskImportRowsMax ? [] : read.rows;
  return { ...read, rows, replacedCharacters: budget.replacedCharacters };
}

async function tryRead(options: ReadOptions, budget: ReadBudget, faults: FaultList): Promise<ReadRows> {
  const addFault = (fault: { row: number; field: string; message: string }) => faults.add(fault);
  try {
    const text = { format: options.format, content: options.content, rowsMax: taskImportRowsMax };
    const source = await readSource(text, budget, addFault);
    const isMapped = Object.keys(options.mapping).length > 0;
    if (!isMapped && isPromptfoo(source)) return await readTests(source, options, budget);
    return readRecords(source, options, budget, faults);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    faults.add({ row: error.position.row ?? 1, field: "", message: error.message });
    return nothing;
  }
}

async function readTests(source: Source, options: ReadOptions, budget: ReadBudget): Promise<ReadRows> {
  const parse = (text: string): JsonValue | undefined => {
    try {
      return readJsonValue(text, budget, {});
    } catch (error) {
      if (!(error instanceof UnreadableText) || error.reason !== "INVALID") throw error;
      return undefined;
    }
  };
  const read = readPromptfoo(await withLines(source, options), {
    expandsLists: options.expandsLists,
    rowsMax: taskImportRowsMax,
    parse,
    files: await readConfigFiles(options.files ?? {}, budget),
  });
  const { format, blankRows } = source;
  const columns = source.isTable ? source.columns.map(({ name }) => ({ name, becomes: testField(name) })) : [];
  return { ...nothing, ...read, shape: "PROMPTFOO", format, blankRows, columns };
}

/** Reads a JSON configuration once more as YAML, whose reader knows lines. */
async function withLines(source: Source, { content }: ReadOptions): Promise<Source> {
  if (source.format !== "JSON") return source;
  const budget = new ReadBudget(importLimits);
  try {
    return await readSource({ format: "YAML", content, rowsMax: taskImportRowsMax }, budget, () => {});
  } catch (error) {
    // Few JSON texts are no YAML, such as those with tabs: these have no lines.
    if (!(error instanceof UnreadableText)) throw error;
    return source;
  }
}

function testField(name: string): string {
  if (name.startsWith("__expected")) return "evaluator";
  if (name === "__description") return "title";
  if (name.startsWith("__metadata:")) return `metadata.${name.slice("__metadata:".length)}`;
  return name.startsWith("__") ? "" : "variable";
}

function readRecords(source: Source, options: ReadOptions, budget: ReadBudget, faults: FaultList): ReadRows {
  const { records, count, format, blankRows, isTable } = source;
  const { plan, faults: found } = planColumns(source.columns, records, options);
  const isTooLong = count > taskImportRowsMax;
  const row = format === "JSONL" ? (records[0]?.row ?? 1) : 1;
  if (count > 0 || isTable) for (const fault of found) faults.add({ row, ...fault });
  if (plan.shape === "TASKS" && isTable) checkHeader(plan.columns, faults);
  const columns = plan.columns.map(({ name, becomes }) => ({ name, becomes: displayedField(becomes) }));
  const answered = listAnswered(plan.columns, records);
  const waiting: Waiting[] = [];
  const notes = answered.length > 0 ? [answersNote(answered)] : [];
  const common = { ...nothing, count, shape: plan.shape, format, blankRows, columns, waiting, notes };
  // A file whose columns are wrong has no rows.
  if (isTooLong || faults.faults.some(({ row: at }) => at === row && found.length > 0)) return common;
  if (isTable && faults.faults.some((fault) => fault.row === 1)) return common;
  const addWaiting = (part: Waiting) => void waiting.push(part);
  const conversion = { plan, isTable, budget, addFault: faults.add.bind(faults), addWaiting };
  return { ...common, rows: records.map((record) => ({ row: record.row, fields: convertRecord(record, conversion) })) };
}

const displayedNames: Readonly<Record<string, string>> = { skip: "ignore", chat: "prompt" };
const displayedField = (becomes: string) => displayedNames[becomes] ?? becomes;

/** Reports columns of a table of tasks that exclude each other. */
function checkHeader(columns: readonly { readonly name: string; readonly becomes: string }[], faults: FaultList): void {
  const seen = new Set<string>();
  const hasMetadata = columns.some(({ becomes }) => becomes === "metadata");
  for (const { name, becomes } of columns) {
    if (becomes !== "" && becomes !== "prompt" && seen.has(becomes))
      faults.add({ row: 1, field: name, message: "The column occurs twice" });
    else if (hasMetadata && becomes.startsWith("metadata.") && name.includes("."))
      faults.add({ row: 1, field: name, message: "Use either the column metadata or columns of its keys" });
    seen.add(becomes);
  }
}
