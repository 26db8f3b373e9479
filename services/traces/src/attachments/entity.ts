import { bytes, integer, type Row, storableText, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type AttachmentRow = Row<typeof AttachmentEntity>;

/** Binary content of an application's traces, stored once by its SHA-256 hash. */
export const AttachmentEntity = table(
  "traces.attachment",
  {
    applicationId: uuid,
    hash: text,
    orgId: text,
    mediaType: storableText,
    size: integer,
    content: bytes,
    createdAt: timestamp,
  },
  {
    primaryKey: ["applicationId", "hash"],
    indices: [{ name: "attachment_created", columns: ["applicationId", "createdAt", "hash"] }],
  },
);

/** Use of an attachment by a trace. */
export const TraceAttachmentEntity = table(
  "traces.trace_attachment",
  { applicationId: uuid, traceId: uuid, hash: text, createdAt: timestamp },
  {
    primaryKey: ["applicationId", "traceId", "hash"],
    indices: [
      { name: "trace_attachment_hash", columns: ["applicationId", "hash"] },
      { name: "trace_attachment_created", columns: ["applicationId", "createdAt"] },
    ],
  },
);
