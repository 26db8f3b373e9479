// Thread that searches one text for a pattern, or validates one value by a JSON Schema.

import { parentPort, workerData } from "node:worker_threads";
import type { ThreadRequest } from "./run-thread.ts";

if (parentPort === null) throw new Error("this module runs as a worker");
parentPort.postMessage(await work(workerData as ThreadRequest));

/** Loads only the library that the work needs, because a thread starts with each. */
async function work({ kind, request }: ThreadRequest): Promise<unknown> {
  switch (kind) {
    case "search":
      return (await import("./matches.ts")).findMatches(request);
    case "schema":
      return (await import("./find-violation.ts")).findViolation(request);
  }
}
