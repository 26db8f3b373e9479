import type { Clock } from "@ems/kit/clock";
import { eventType } from "@ems/kit/events/event-type";
import type { HandleEvents } from "../events/index.ts";
import { schedule } from "./worker/next-state.ts";

/** Makes a delivery of each public event, due at once; a failed one while the webhook is disabled, to be resent later. */
export function deliveryHandler(clock: Clock): HandleEvents {
  return async (client, events) => {
    const published = events.filter(({ type }) => eventType(type)?.isInternal === false);
    if (published.length === 0) return;
    // Key lock: a concurrent deletion of the webhook waits, and then cancels these deliveries too.
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
        published.map(({ applicationId }) => applicationId),
        published.map(({ id }) => id),
        published.map(({ orgId }) => orgId),
        published.map(({ type }) => type),
        published.map(({ payload }) => payload),
        published.map(({ traceparent }) => traceparent),
        clock.now(),
        schedule.length,
      ],
    );
  };
}
