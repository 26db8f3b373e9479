// Reads the form and the files of an upload in a worker thread.

import { type ConnectError, invalidField, tooLarge } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { ReadDocuments } from "./documents-of-file.ts";
import type { Fault } from "./refusal.ts";
import { runReader } from "./run-reader.ts";

export interface ReadRequest {
  readonly payload: Uint8Array;
  readonly contentType: string;
}

export interface FormFields {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** File names in the headers of the files' parts. */
  readonly fileNames: readonly string[];
}

export type WorkerMessage =
  | ({ readonly kind: "form" } & FormFields)
  | ({ readonly kind: "documents" } & ReadDocuments)
  | { readonly kind: "fault"; readonly fault: Fault };

export interface ReadUpload<Accepted> extends ReadDocuments {
  readonly accepted: Accepted;
}

const module = new URL("./worker.ts", import.meta.url);

/** Returns the documents in an upload. `accept` checks the form and names the files before they are read. */
export function readUpload<Accepted extends { readonly fileNames: readonly string[] }>(
  call: Call,
  request: ReadRequest,
  accept: (form: FormFields) => Accepted,
): Promise<ReadUpload<Accepted>> {
  let accepted: Accepted | undefined;
  return runReader<WorkerMessage, ReadUpload<Accepted>>(call, {
    module,
    bytes: request.payload.length,
    field: "file",
    // Copies the payload into its own buffer, which is transferred to the thread.
    data: () => ({ ...request, payload: new Uint8Array(request.payload) }),
    onMessage: (message, job) => {
      if (message.kind === "form") {
        accepted = accept(message);
        job.post(accepted.fileNames);
      } else if (message.kind === "fault") throw toError(message.fault);
      else if (accepted !== undefined) job.resolve({ ...message, accepted });
    },
  });
}

function toError({ field, message, isTooLarge }: Fault): ConnectError {
  return isTooLarge ? tooLarge(message) : invalidField(field === "" ? [] : [field], message);
}
