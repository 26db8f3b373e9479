// Worker thread that reads one upload: first the form, then the files if the form's fields are accepted.

import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { readDocuments } from "./documents-of-file.ts";
import { readForm } from "./form.ts";
import type { ReadRequest, WorkerMessage } from "./read-upload.ts";
import { Refusal } from "./refusal.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs as a worker");
const report = (message: WorkerMessage) => port.postMessage(message);

try {
  const { payload, contentType } = workerData as ReadRequest & { readonly payload: Uint8Array<ArrayBuffer> };
  const { fields, files } = await readForm(payload, contentType);
  report({ kind: "form", fields: { ...fields }, fileNames: files.map(({ name }) => name) });
  const [names] = await once(port, "message");
  report({ kind: "documents", ...(await readDocuments(files.map((file, at) => ({ ...file, name: names[at] })))) });
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  report({ kind: "fault", fault: error.fault });
}
