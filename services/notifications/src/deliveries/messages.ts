// Deliveries as they are read, and their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type DeliveryAttemptSchema,
  type DeliverySchema,
  DeliveryStatus,
} from "@ems/proto/notifications/v1/delivery_service";
import type { AttemptRow } from "./attempt-entity.ts";
import type { DeliveryRow } from "./entity.ts";

/** A delivery without what is sent. */
export type ReadDelivery = Pick<
  DeliveryRow,
  "id" | "type" | "status" | "createdAt" | "attemptCount" | "nextAttemptAt" | "lastStatusCode" | "lastOutcome"
>;

/** The columns of ReadDelivery, of `notifications.delivery d`. */
export const deliveryColumns = `
  d.id, d.type, d.status, d.created_at AS "createdAt", d.attempt_count AS "attemptCount",
  d.next_attempt_at AS "nextAttemptAt", d.last_status_code AS "lastStatusCode", d.last_outcome AS "lastOutcome"`;

/** An attempt as it is read. */
export type ReadAttempt = Omit<AttemptRow, "applicationId" | "deliveryId">;

/** The columns of ReadAttempt, of `notifications.attempt a`. */
export const attemptColumns = `
  a.number, a.started_at AS "startedAt", a.duration_ms AS "durationMs", a.outcome, a.status_code AS "statusCode",
  a.response_body AS "responseBody", a.remote_address AS "remoteAddress"`;

export function delivery(row: ReadDelivery): MessageInitShape<typeof DeliverySchema> {
  const { id, type, status, createdAt, attemptCount, nextAttemptAt, lastStatusCode, lastOutcome } = row;
  return {
    id,
    type,
    status: DeliveryStatus[status],
    createdAt: timestampFromDate(createdAt),
    attemptCount,
    ...(nextAttemptAt !== null && { nextAttemptAt: timestampFromDate(nextAttemptAt) }),
    ...(lastStatusCode !== null && { lastStatusCode }),
    ...(lastOutcome !== null && { lastOutcome }),
  };
}

export function attempt(row: ReadAttempt): MessageInitShape<typeof DeliveryAttemptSchema> {
  const { number, startedAt, durationMs, outcome, statusCode, responseBody, remoteAddress } = row;
  return {
    number,
    startedAt: timestampFromDate(startedAt),
    durationMs,
    outcome,
    ...(statusCode !== null && { statusCode }),
    ...(responseBody !== null && { responseBody }),
    ...(remoteAddress !== null && { remoteAddress }),
  };
}
