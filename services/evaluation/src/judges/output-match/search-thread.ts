// Thread that searches one text for a pattern.

import { parentPort, workerData } from "node:worker_threads";
import { findMatches, type SearchRequest } from "./matches.ts";

if (parentPort === null) throw new Error("this module runs as a worker");
parentPort.postMessage(await findMatches(workerData as SearchRequest));
