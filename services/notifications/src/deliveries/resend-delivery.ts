import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { DeliveryEntity } from "./entity.ts";
import { delivery, deliveryColumns, type ReadDelivery } from "./messages.ts";
import { enabledWebhook, sendAgain } from "./queries.ts";

type Handler = Handlers<typeof DeliveryService>["resendDelivery"];

const resend = `WITH d AS (
    UPDATE notifications.delivery SET ${sendAgain} WHERE application_id = $1 AND id = $4 RETURNING *
  ) SELECT ${deliveryColumns} FROM d`;

/** Sends one delivery again, whatever came of it. */
export function resendDelivery({ database, clock, wake }: Pick<Deps, "database" | "clock" | "wake">): Handler {
  return async ({ id }, call) => {
    const { applicationId } = call.tenant;
    const answer = await database.change(call, async (tx) => {
      if (!(await tx.exists(DeliveryEntity, { applicationId, id }))) throw notFound("Delivery");
      const webhook = await enabledWebhook(tx, call);
      const [row] = await tx.query<ReadDelivery>(resend, [applicationId, clock.now(), webhook.id, id]);
      if (row === undefined) throw notFound("Delivery");
      return { data: delivery(row) };
    });
    wake(applicationId);
    return answer;
  };
}
