// Imports a file of rows as tasks: checks all pieces first, then sends them. A repeated import finds the rows that an
// interrupted one has written, and leaves them unchanged.

import { readFile } from "node:fs/promises";
import { decodeBytes, ReadBudget } from "@ems/kit/readers";
import type { ApiClient, Json } from "../api.ts";
import { Failure, usage } from "../failure.ts";
import { type FilePiece, openRowFile } from "./file-pieces.ts";
import { type Progress, progressBar } from "./progress.ts";

export interface FileOptions {
  readonly dryRun?: boolean;
  readonly map?: readonly string[];
  readonly metadata?: boolean;
  readonly overwrite?: boolean;
  readonly expand?: boolean;
  readonly source: string;
  /** Texts of files to which the content refers, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Sums of the answers to all pieces. */
export interface FileOutcome {
  readonly shape: string | null;
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly conflicts: number;
  readonly blankRows: number;
  readonly replacedCharacters: number;
  readonly definitionsCreated: number;
  readonly errors: readonly Json[];
  readonly issuesOmitted: number;
  readonly columns: readonly Json[];
  readonly unmappedColumns: readonly string[];
  readonly preview: readonly Json[];
  readonly notImportedYet: readonly Json[];
  readonly notImportedYetOmitted: number;
  readonly notes: readonly string[];
}

const path = "/v0/tasks/import";
const listedMax = 100;
const zipStart = Buffer.from("PK\x03\x04", "latin1");
const bytesMax = 1024 ** 3;

/** Reads a file as text, or a workbook as base64. The service replaces and counts characters that it cannot store. */
export async function readFileContent(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.subarray(0, zipStart.length).equals(zipStart)) return bytes.toString("base64");
    return decodeBytes(bytes, new ReadBudget({ values: 0, columns: 0, depth: 0, bytes: bytesMax }));
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Checks the file; unless there are errors or it is a dry run, imports it. */
export async function importFile(api: ApiClient, content: string, options: FileOptions): Promise<FileOutcome> {
  const request = {
    mapping: readMapping(options.map ?? []),
    unmappedAsMetadata: options.metadata === true,
    overwrite: options.overwrite === true,
    expandLists: options.expand !== false,
    source: options.source,
    ...(Object.keys(options.files ?? {}).length > 0 && { files: options.files }),
  };
  const file = await openRowFile(content).catch((error: unknown) => {
    throw usage(`The file cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  const pieces = () => file.pieces(keys);
  const send = (piece: FilePiece, dryRun: boolean): Promise<Json> =>
    api.post(path, { ...request, format: piece.format, content: piece.content, dryRun });
  let keys: readonly string[] = [];
  const [first] = pieces();
  if (first === undefined) throw usage("The file is empty.");
  const progress = progressBar();
  try {
    const sample = await send(first, true);
    const isOne = (file.count ?? 0) <= first.rows.length || first.rows.length === 0;
    if (!isOne) keys = keysIn(sample);
    const check = async (piece: FilePiece) => numbered(isOne ? sample : await send(piece, true), piece);
    const checks = await sendAll(pieces(), file.count ?? 0, "check", progress, check);
    const checked = sum(checks);
    if (checked.errors.length > 0 || options.dryRun === true) return checked;
    const answers = await sendAll(pieces(), file.count ?? 0, "import", progress, async (piece, at) => {
      // A piece that an earlier import has written is not sent again.
      const before = checks[at];
      return isWritten(before) ? before : numbered(await send(piece, false), piece);
    });
    return { ...sum(answers), preview: [] };
  } finally {
    progress.end();
  }
}

/** True if nothing of a checked piece is new or changed. */
const isWritten = ({ rows, unchanged, conflicts, definitionsCreated }: Json) =>
  unchanged + conflicts === rows && definitionsCreated === 0;

async function sendAll(
  pieces: Iterable<FilePiece>,
  total: number,
  what: string,
  progress: Progress,
  send: (piece: FilePiece, at: number) => Promise<Json>,
): Promise<Json[]> {
  progress.begin(what, total);
  const answers: Json[] = [];
  let done = 0;
  for (const piece of pieces) {
    const answer = await send(piece, answers.length).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (what === "check" || done === 0) throw error;
      throw new Failure(`${done} of ${total} rows were imported. Repeat the command to continue. ${reason}`);
    });
    answers.push(answer);
    done += piece.rows.length;
    progress.step(done);
  }
  return answers;
}

/** Returns the columns that identify a row without an id. */
function keysIn({ columns, shape }: Json): string[] {
  if (columns.some(({ becomes }: Json) => becomes === "id")) return [];
  const identifying = shape === "PROMPTFOO" ? ["variable"] : ["prompt", "examples", "inputExamples", "prompts"];
  const found = columns.filter(({ becomes }: Json) => identifying.includes(becomes));
  const named = found.length > 0 ? found : columns.filter(({ becomes }: Json) => becomes === "title");
  if (named.length === 0 && shape === "PROMPTFOO") return ["description", "vars"];
  return named.map(({ name }: Json) => name);
}

/** Replaces row numbers of the piece by those of the file. */
function numbered(answer: Json, { rows, firstRow }: FilePiece): Json {
  const inFile = (each: Json) => ({ ...each, row: rows[each.row - firstRow] ?? each.row });
  return {
    ...answer,
    errors: answer.errors.map(inFile),
    preview: answer.preview.map(inFile),
    notImportedYet: answer.notImportedYet.map((each: Json) => (each.row === 0 ? each : inFile(each))),
  };
}

function sum(answers: readonly Json[]): FileOutcome {
  const total = (name: string) => answers.reduce((whole, answer) => whole + answer[name], 0);
  const all = (name: string) => answers.flatMap((answer) => answer[name]);
  const distinct = (name: string) => [...new Map(all(name).map((each) => [JSON.stringify(each), each])).values()];
  const [first] = answers;
  const errors = all("errors");
  const waiting = distinct("notImportedYet");
  return {
    shape: first.shape ?? null,
    rows: total("rows"),
    created: total("created"),
    updated: total("updated"),
    unchanged: total("unchanged"),
    conflicts: total("conflicts"),
    blankRows: total("blankRows"),
    replacedCharacters: total("replacedCharacters"),
    definitionsCreated: total("definitionsCreated"),
    errors: errors.slice(0, listedMax),
    issuesOmitted: total("issuesOmitted") + Math.max(0, errors.length - listedMax),
    columns: first.columns,
    unmappedColumns: distinct("unmappedColumns"),
    preview: first.preview,
    notImportedYet: waiting.slice(0, listedMax),
    notImportedYetOmitted: total("notImportedYetOmitted") + Math.max(0, waiting.length - listedMax),
    notes: distinct("notes"),
  };
}

function readMapping(pairs: readonly string[]): Record<string, string> {
  const entries = pairs.map((pair) => {
    const at = pair.lastIndexOf("=");
    if (at <= 0 || at === pair.length - 1)
      throw usage(`--map takes COLUMN=FIELD, such as question=prompt, not ${pair}`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}
