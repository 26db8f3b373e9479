// Worker thread that reads the rows of one import.

import { parentPort, workerData } from "node:worker_threads";
import { containsExactNumber } from "@ems/kit/json/exact-number";
import { FaultList } from "./import-faults.ts";
import type { SentImport, SentRow } from "./read-import.ts";
import { type ImportRow, type ReadOptions, readRows } from "./shapes/index.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs as a worker");
const faults = new FaultList();
const { rows, ...read } = await readRows(workerData as ReadOptions, faults);
const answer: SentImport = { ...read, rows: rows.map(sentRow), faults };
port.postMessage(answer);

/** Threads cannot send exact numbers to each other: rows with such numbers become texts. */
function sentRow({ fields, ...rest }: ImportRow): SentRow {
  return containsExactNumber(fields) ? { ...rest, written: JSON.stringify(fields) } : { ...rest, fields };
}
