import type { JsonObject } from "@bufbuild/protobuf";
import { buildSelectList } from "@ems/kit/db/columns";
import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import { parseJson } from "@ems/kit/json/exact-number";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { AttemptEntity, type AttemptRow, DeliveryEntity } from "./entity.ts";
import { attempt, delivery } from "./messages.ts";
import { isExpired } from "./retention.ts";

type Handler = Handlers<typeof DeliveryService>["getDelivery"];

const deliveryById = rowById(DeliveryEntity, "Delivery");

const attemptsOfDelivery = `SELECT ${buildSelectList(AttemptEntity, "a")} FROM notifications.attempt a
  WHERE a.application_id = $1 AND a.delivery_id = $2 ORDER BY a.number`;

/** Returns a delivery of the caller's application, with its event and all attempts. */
export function getDelivery({ database, retention }: Pick<Deps, "database" | "retention">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [deliveries, attempts] = await database.readAll(call, [
      deliveryById.statement(call, id),
      { name: "attempts-of-delivery", text: attemptsOfDelivery, values },
    ]);
    const row = deliveryById.only(deliveries);
    if (isExpired(retention, row)) throw notFound("Delivery");
    return {
      data: delivery(row),
      // Safe cast: the payload of a delivery is an object.
      event: parseJson(row.payload) as JsonObject,
      attempts: (attempts as AttemptRow[]).map(attempt),
    };
  };
}
