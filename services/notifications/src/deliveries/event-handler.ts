import type { Clock } from "@ems/kit/clock";
import { eventType } from "@ems/kit/events/event-type";
import type { Taker } from "../events/inbox.ts";

export interface DeliveriesDeps {
  readonly clock: Clock;
  /** How many attempts a delivery gets. */
  readonly scheduleSteps: number;
}

/**
 * A delivery for each event that is for webhooks, where the application has one; due at once. While the webhook is
 * disabled the delivery has failed without an attempt, so that it can be sent again.
 */
export function deliveries({ clock, scheduleSteps }: DeliveriesDeps): Taker {
  return async (client, events) => {
    const told = events.filter(({ type }) => eventType(type)?.isInternal === false);
    if (told.length === 0) return;
    // The webhook's key is held until the commit: whoever deletes the webhook meanwhile waits, and cancels these too.
    await client.query(
      `INSERT INTO notifications.delivery (application_id, id, org_id, webhook_id, type, payload, traceparent,
         status, created_at, schedule_steps, next_attempt_at, last_outcome)
       SELECT e.application_id, e.id, e.org_id, w.id, e.type, e.payload, e.traceparent,
         CASE WHEN w.disabled_at IS NULL THEN 'PENDING' ELSE 'FAILED' END, $7::timestamptz,
         CASE WHEN e.type = 'webhook.test' THEN 1 ELSE $8::integer END,
         CASE WHEN w.disabled_at IS NULL THEN $7::timestamptz END, CASE WHEN w.disabled_at IS NOT NULL THEN 'DISABLED' END
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
         AS e (application_id, id, org_id, type, payload, traceparent)
       JOIN notifications.webhook AS w ON w.application_id = e.application_id
       FOR KEY SHARE OF w
       ON CONFLICT (application_id, id) DO NOTHING`,
      [
        told.map(({ applicationId }) => applicationId),
        told.map(({ id }) => id),
        told.map(({ orgId }) => orgId),
        told.map(({ type }) => type),
        told.map(({ payload }) => payload),
        told.map(({ traceparent }) => traceparent),
        clock.now(),
        scheduleSteps,
      ],
    );
  };
}
