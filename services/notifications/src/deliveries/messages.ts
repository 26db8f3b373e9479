import { buildMessage } from "@ems/kit/message";
import { DeliveryAttemptSchema, DeliverySchema } from "@ems/proto/notifications/v1/delivery_service";
import type { AttemptRow, DeliveryRow } from "./entity.ts";

/** A delivery without its payload. */
export type DeliverySummary = Pick<
  DeliveryRow,
  "id" | "kind" | "type" | "status" | "createdAt" | "attemptCount" | "nextAttemptAt" | "lastStatusCode" | "lastOutcome"
>;

/** Selects the columns of DeliverySummary from `notifications.delivery d`; lists do not read payloads. */
export const summaryColumns = `
  d.id, d.kind, d.type, d.status, d.created_at AS "createdAt", d.attempt_count AS "attemptCount",
  d.next_attempt_at AS "nextAttemptAt", d.last_status_code AS "lastStatusCode", d.last_outcome AS "lastOutcome"`;

export const delivery = (row: DeliverySummary) =>
  buildMessage(DeliverySchema, { ...row, testId: row.kind === "PROMPT" ? row.id : null });
export const attempt = (row: AttemptRow) => buildMessage(DeliveryAttemptSchema, row);
