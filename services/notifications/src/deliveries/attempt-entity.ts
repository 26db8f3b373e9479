import { EntitySchema } from "typeorm";

/** One attempt of a delivery, as it went; never changed. */
export interface AttemptRow {
  applicationId: string;
  deliveryId: string;
  /** Counted from 1. */
  number: number;
  startedAt: Date;
  durationMs: number;
  outcome: string;
  statusCode: number | null;
  /** The first 16 KiB of the answer as text, without secrets and values of headers. */
  responseBody: string | null;
  remoteAddress: string | null;
}

export const AttemptEntity = new EntitySchema<AttemptRow>({
  name: "Attempt",
  tableName: "attempt",
  schema: "notifications",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "attempt_pkey" },
    deliveryId: { type: "uuid", name: "delivery_id", primary: true, primaryKeyConstraintName: "attempt_pkey" },
    number: { type: "integer", primary: true, primaryKeyConstraintName: "attempt_pkey" },
    startedAt: { type: "timestamptz", name: "started_at", precision: 3 },
    durationMs: { type: "integer", name: "duration_ms" },
    outcome: { type: "text" },
    statusCode: { type: "integer", name: "status_code", nullable: true },
    responseBody: { type: "text", name: "response_body", nullable: true },
    remoteAddress: { type: "text", name: "remote_address", nullable: true },
  },
  foreignKeys: [
    {
      name: "attempt_delivery_fkey",
      target: "Delivery",
      columnNames: ["applicationId", "deliveryId"],
      referencedColumnNames: ["applicationId", "id"],
      onDelete: "CASCADE",
    },
  ],
});
