import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { AttemptEntity, type AttemptRow, DeliveryEntity, type DeliveryRow } from "./entity.ts";
import { attempt, delivery } from "./messages.ts";

type Handler = Handlers<typeof DeliveryService>["getDelivery"];

const deliveryById = `SELECT ${columnsOf(DeliveryEntity, "d")} FROM notifications.delivery d
  WHERE d.application_id = $1 AND d.id = $2`;

const attemptsOfDelivery = `SELECT ${columnsOf(AttemptEntity, "a")} FROM notifications.attempt a
  WHERE a.application_id = $1 AND a.delivery_id = $2 ORDER BY a.number`;

/** One delivery of the caller's application, with its event and every attempt. */
export function getDelivery({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [deliveries, attempts] = await database.readAll(call, [
      { name: "get-delivery", text: deliveryById, values },
      { name: "attempts-of-delivery", text: attemptsOfDelivery, values },
    ]);
    const [row] = deliveries as DeliveryRow[];
    if (row === undefined) throw notFound("Delivery");
    return {
      data: delivery(row),
      event: JSON.parse(row.payload),
      attempts: (attempts as AttemptRow[]).map(attempt),
    };
  };
}
