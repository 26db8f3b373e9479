import type { Clock } from "@ems/kit/clock";
import { webhookJson } from "@ems/kit/events/content";
import { eventType } from "@ems/kit/events/event-type";
import { deliveryDelaysMs } from "@ems/proto/limits";
import type { HandleEvents } from "../events/index.ts";
import { DeliveryEntity, type DeliveryRow } from "./entity.ts";
import { findTargets } from "./queries.ts";

/**
 * Creates a delivery for each public event, due immediately. If the webhook is disabled, the delivery is created as
 * failed, so that it can be resent later.
 */
export function deliveryHandler(clock: Clock): HandleEvents {
  return async (tx, events) => {
    const published = events.filter(({ type }) => eventType(type)?.isInternal === false);
    if (published.length === 0) return;
    const targetBy = await findTargets(tx, published);
    const now = clock.now();
    const deliveries = published.flatMap((received) => {
      const { applicationId, id, orgId, type, traceparent } = received;
      const target = targetBy.get(applicationId);
      if (target === undefined) return [];
      const payload = webhookJson(received);
      const event = { applicationId, id, orgId, webhookId: target.id, type, payload, traceparent, createdAt: now };
      const isDue = target.disabledAt === null;
      const status: DeliveryRow["status"] = isDue ? "PENDING" : "FAILED";
      const state = { status, nextAttemptAt: isDue ? now : null, lastOutcome: isDue ? null : "DISABLED" };
      return { ...event, ...state, scheduleSteps: type === "webhook.test" ? 1 : deliveryDelaysMs.length };
    });
    await tx.insert(DeliveryEntity, deliveries, "ignore");
  };
}
