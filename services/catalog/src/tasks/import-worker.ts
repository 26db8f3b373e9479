// Worker thread that reads the rows of one import.

import { parentPort, workerData } from "node:worker_threads";
import { FaultList } from "./import-faults.ts";
import { readImportRows } from "./import-rows.ts";
import type { ImportText, ReadImport } from "./read-import.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs as a worker");
const { isTable, content } = workerData as ImportText;
const faults = new FaultList();
const answer: ReadImport = { ...(await readImportRows(isTable, content, faults)), faults };
port.postMessage(answer);
