// Reads the text of an import in a worker thread.

import type { JsonObject } from "@bufbuild/protobuf";
import { enumName } from "@ems/kit/enum";
import { parseJson } from "@ems/kit/json/exact-number";
import type { Call } from "@ems/kit/rpc/call";
import { type ImportTasksRequest, TaskImportFormat, TaskImportFormatSchema } from "@ems/proto/catalog/v1/task_service";
import { runReader } from "../uploads/index.ts";
import type { FoundFaults } from "./import-faults.ts";
import type { ImportRow, ReadOptions, ReadRows } from "./shapes/index.ts";

export interface ReadImport extends ReadRows {
  readonly faults: FoundFaults;
}

/** A row as the thread sends it: with its fields, or with their JSON. */
export type SentRow = Omit<ImportRow, "fields"> & ({ readonly fields: JsonObject } | { readonly written: string });

export interface SentImport extends Omit<ReadImport, "rows"> {
  readonly rows: readonly SentRow[];
}

const module = new URL("./import-worker.ts", import.meta.url);

export function readImport(call: Call, request: ImportTasksRequest): Promise<ReadImport> {
  const { format, content, mapping, unmappedAsMetadata = false, expandLists = true, files } = request;
  const options: ReadOptions = {
    format: formatName(format),
    content,
    mapping: { ...mapping },
    unmappedAsMetadata,
    expandsLists: expandLists,
    files: { ...files },
  };
  return runReader<SentImport, ReadImport>(call, {
    module,
    data: () => options,
    bytes: Buffer.byteLength(content),
    field: "content",
    onMessage: (read, job) => job.resolve({ ...read, rows: read.rows.map(importRow) }),
  });
}

function formatName(format: TaskImportFormat): ReadOptions["format"] {
  return format === TaskImportFormat.UNSPECIFIED ? undefined : enumName(TaskImportFormatSchema, format);
}

function importRow(sent: SentRow): ImportRow {
  if ("fields" in sent) return sent;
  const { written, ...rest } = sent;
  // Safe cast: the thread wrote an object.
  return { ...rest, fields: parseJson(written) as JsonObject };
}
