import {
  foreignKey,
  integer,
  nullable,
  oneOf,
  type Row,
  storableText,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";

export type DeliveryRow = Row<typeof DeliveryEntity>;

/** Deliveries of events and prompts to the application's webhook. */
export const DeliveryEntity = table(
  "notifications.delivery",
  {
    applicationId: uuid,
    /** ID of the event, or of a prompt's test. One delivery for each, because an application has only one webhook. */
    id: uuid,
    kind: withDefault(oneOf("EVENT", "PROMPT"), "EVENT"),
    orgId: text,
    /** The application's webhook at the time of the event. */
    webhookId: uuid,
    type: text,
    /** Body of the request, exactly as sent and signed. */
    payload: text,
    traceparent: nullable(text),
    status: oneOf("PENDING", "DELIVERED", "FAILED", "CANCELLED"),
    createdAt: timestamp,
    /** Number of counted attempts, including those before a resend. */
    attemptCount: withDefault(integer, 0),
    /** Number of counted attempts since the schedule started; a resend restarts the schedule. */
    scheduleStep: withDefault(integer, 0),
    /** Number of attempts in the schedule; 1 for a webhook test. */
    scheduleSteps: integer,
    nextAttemptAt: nullable(timestamp),
    leasedUntil: nullable(timestamp),
    lastOutcome: nullable(text),
    lastStatusCode: nullable(integer),
  },
  {
    checks: [{ name: "delivery_due_check", expression: "(status = 'PENDING') = (next_attempt_at IS NOT NULL)" }],
    indices: [
      { name: "delivery_created", columns: ["applicationId", "createdAt", "id"] },
      {
        name: "delivery_due",
        columns: ["applicationId", "nextAttemptAt"],
        where: "status = 'PENDING' AND kind = 'EVENT'",
      },
      {
        name: "prompt_due",
        columns: ["applicationId", "nextAttemptAt"],
        where: "status = 'PENDING' AND kind = 'PROMPT'",
      },
    ],
  },
);

export type AttemptRow = Row<typeof AttemptEntity>;

/** Attempts at deliveries; immutable. */
export const AttemptEntity = table(
  "notifications.attempt",
  {
    applicationId: uuid,
    deliveryId: uuid,
    /** Number of the attempt, starting at 1. */
    number: integer,
    startedAt: timestamp,
    durationMs: integer,
    outcome: text,
    statusCode: nullable(integer),
    /** First `storedBytesMax` bytes of the response as text, with secrets redacted. */
    responseBody: nullable(storableText),
    remoteAddress: nullable(text),
  },
  {
    primaryKey: ["applicationId", "deliveryId", "number"],
    foreignKeys: [
      { ...foreignKey("attempt_delivery_fkey", ["applicationId", "deliveryId"], "delivery"), onDelete: "CASCADE" },
    ],
  },
);
