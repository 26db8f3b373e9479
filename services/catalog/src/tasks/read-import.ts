// Reads the text of an import in a worker thread.

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

const module = new URL("./import-worker.ts", import.meta.url);

export function readImport(call: Call, { format, content }: ImportTasksRequest): Promise<ReadImport> {
  const text: ImportText = { isTable: format === TaskImportFormat.CSV, content };
  return runReader<ReadImport, ReadImport>(call, {
    module,
    data: () => text,
    bytes: Buffer.byteLength(content),
    field: "content",
    onMessage: (read, job) => job.resolve(read),
  });
}
