import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { attempt, attemptColumns, delivery, deliveryColumns, type ReadAttempt, type ReadDelivery } from "./messages.ts";

type Handler = Handlers<typeof DeliveryService>["getDelivery"];

const oneDelivery = `SELECT ${deliveryColumns}, d.payload FROM notifications.delivery d
  WHERE d.application_id = $1 AND d.id = $2`;

const attemptsOfDelivery = `SELECT ${attemptColumns} FROM notifications.attempt a
  WHERE a.application_id = $1 AND a.delivery_id = $2 ORDER BY a.number`;

/** One delivery of the caller's application, with its event and every attempt. */
export function getDelivery({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [deliveries, attempts] = await database.readAll(call, [
      { name: "get-delivery", text: oneDelivery, values },
      { name: "attempts-of-delivery", text: attemptsOfDelivery, values },
    ]);
    const [row] = deliveries as (ReadDelivery & { payload: string })[];
    if (row === undefined) throw notFound("Delivery");
    return {
      data: delivery(row),
      event: JSON.parse(row.payload),
      attempts: (attempts as ReadAttempt[]).map(attempt),
    };
  };
}
