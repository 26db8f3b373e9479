import type { JsonObject } from "@bufbuild/protobuf";
import { EntitySchema } from "typeorm";

export interface TraceRow {
  applicationId: string;
  id: string;
  orgId: string;
  /** The application's own id of the trace, which steps refer to. */
  traceId: string;
  referenceId: string | null;
  testId: string | null;
  timestamp: Date;
  metadata: JsonObject;
  /** Bytes of the trace's message without steps. */
  size: number;
  createdAt: Date;
}

export const TraceEntity = new EntitySchema<TraceRow>({
  name: "Trace",
  tableName: "trace",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "trace_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "trace_pkey" },
    orgId: { type: "text", name: "org_id" },
    traceId: { type: "uuid", name: "trace_id" },
    referenceId: { type: "text", name: "reference_id", nullable: true },
    testId: { type: "uuid", name: "test_id", nullable: true },
    timestamp: { type: "timestamptz", precision: 3 },
    metadata: { type: "json" },
    size: { type: "integer" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
  },
  uniques: [{ name: "trace_trace_id_key", columns: ["applicationId", "traceId"] }],
  indices: [
    { name: "trace_created", columns: ["applicationId", "createdAt", "id"] },
    { name: "trace_timestamp", columns: ["applicationId", "timestamp", "id"] },
    { name: "trace_test", columns: ["applicationId", "testId"] },
    { name: "trace_reference", columns: ["applicationId", "referenceId"] },
  ],
});
