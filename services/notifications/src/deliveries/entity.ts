import { EntitySchema } from "typeorm";

/** An event on its way to the application's webhook. */
export interface DeliveryRow {
  applicationId: string;
  /** The event's id: an application has one webhook, so an event has one delivery. */
  id: string;
  orgId: string;
  /** The webhook that there was when the event came. */
  webhookId: string;
  type: string;
  /** The event's JSON, exactly as it is sent and signed. */
  payload: string;
  traceparent: string | null;
  status: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
  createdAt: Date;
  /** How many attempts were made, in all: the number of the last one. */
  attemptCount: number;
  /** How many attempts of the schedule are over; sending again starts the schedule anew. */
  scheduleStep: number;
  /** How many attempts the schedule has for this delivery: one for a test. */
  scheduleSteps: number;
  /** When the next attempt is due; null when none is. */
  nextAttemptAt: Date | null;
  /** Until then a worker has it in hand. */
  leasedUntil: Date | null;
  lastOutcome: string | null;
  lastStatusCode: number | null;
}

export const DeliveryEntity = new EntitySchema<DeliveryRow>({
  name: "Delivery",
  tableName: "delivery",
  schema: "notifications",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "delivery_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "delivery_pkey" },
    orgId: { type: "text", name: "org_id" },
    webhookId: { type: "uuid", name: "webhook_id" },
    type: { type: "text" },
    payload: { type: "text" },
    traceparent: { type: "text", nullable: true },
    status: { type: "text" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    attemptCount: { type: "integer", name: "attempt_count", default: 0 },
    scheduleStep: { type: "integer", name: "schedule_step", default: 0 },
    scheduleSteps: { type: "integer", name: "schedule_steps" },
    nextAttemptAt: { type: "timestamptz", name: "next_attempt_at", precision: 3, nullable: true },
    leasedUntil: { type: "timestamptz", name: "leased_until", precision: 3, nullable: true },
    lastOutcome: { type: "text", name: "last_outcome", nullable: true },
    lastStatusCode: { type: "integer", name: "last_status_code", nullable: true },
  },
  checks: [
    { name: "delivery_status_check", expression: "status IN ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')" },
    { name: "delivery_due_check", expression: "(status = 'PENDING') = (next_attempt_at IS NOT NULL)" },
  ],
  indices: [
    { name: "delivery_created", columns: ["applicationId", "createdAt", "id"] },
    { name: "delivery_due", columns: ["applicationId", "nextAttemptAt"], where: "status = 'PENDING'" },
  ],
});
