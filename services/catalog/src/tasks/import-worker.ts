// Worker thread that reads the rows of one import.

import { parentPort, workerData } from "node:worker_threads";
import { containsExactNumber } from "@ems/kit/json/exact-number";
import { FaultList } from "./import-faults.ts";
import { type ImportRow, readImportRows } from "./import-rows.ts";
import type { ImportText, SentImport, SentRow } from "./read-import.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs as a worker");
const { isTable, content } = workerData as ImportText;
const faults = new FaultList();
const { rows, ...read } = await readImportRows(isTable, content, faults);
const answer: SentImport = { ...read, rows: rows.map(sentRow), faults };
port.postMessage(answer);

/** Threads cannot send exact numbers to each other: rows with such numbers become texts. */
function sentRow({ row, fields }: ImportRow): SentRow {
  return containsExactNumber(fields) ? { row, written: JSON.stringify(fields) } : { row, fields };
}
