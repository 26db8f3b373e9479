// Reads the text of an import in a worker thread.

import type { JsonObject } from "@bufbuild/protobuf";
import { parseJson } from "@ems/kit/json/exact-number";
import type { Call } from "@ems/kit/rpc/call";
import { type ImportTasksRequest, TaskImportFormat } from "@ems/proto/catalog/v1/task_service";
import { runReader } from "../uploads/index.ts";
import type { FoundFaults } from "./import-faults.ts";
import type { ImportRow } from "./import-rows.ts";

export interface ImportText {
  /** True for CSV, false for JSONL. */
  readonly isTable: boolean;
  readonly content: string;
}

export interface ReadImport {
  /** Number of non-empty rows, including invalid ones. */
  readonly count: number;
  readonly rows: readonly ImportRow[];
  readonly faults: FoundFaults;
  readonly replacedCharacters: number;
}

/** A row as the thread sends it: with its fields, or with their JSON. */
export type SentRow = { readonly row: number } & ({ readonly fields: JsonObject } | { readonly written: string });

export interface SentImport extends Omit<ReadImport, "rows"> {
  readonly rows: readonly SentRow[];
}

const module = new URL("./import-worker.ts", import.meta.url);

export function readImport(call: Call, { format, content }: ImportTasksRequest): Promise<ReadImport> {
  const text: ImportText = { isTable: format === TaskImportFormat.CSV, content };
  return runReader<SentImport, ReadImport>(call, {
    module,
    data: () => text,
    bytes: Buffer.byteLength(content),
    field: "content",
    onMessage: (read, job) => job.resolve({ ...read, rows: read.rows.map(importRow) }),
  });
}

function importRow(sent: SentRow): ImportRow {
  // Safe cast: the thread wrote an object.
  return "fields" in sent ? sent : { row: sent.row, fields: parseJson(sent.written) as JsonObject };
}
