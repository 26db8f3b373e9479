import { failure, notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { DeliveryEntity } from "./entity.ts";
import { type DeliverySummary, delivery, summaryColumns } from "./messages.ts";
import { enabledTarget, resendColumns } from "./queries.ts";
import { isExpired } from "./retention.ts";

type Handler = Handlers<typeof DeliveryService>["resendDelivery"];

const resend = `WITH d AS (
    UPDATE notifications.delivery SET ${resendColumns} WHERE application_id = $1 AND id = $4 RETURNING *
  ) SELECT ${summaryColumns} FROM d`;

/** Resends one delivery, in any state. */
export function resendDelivery({
  database,
  clock,
  retention,
  wake,
}: Pick<Deps, "database" | "clock" | "retention" | "wake">): Handler {
  return async ({ id }, call) => {
    const { applicationId } = call.tenant;
    const answer = await database.change(call, async (tx) => {
      const found = await tx.findOne(DeliveryEntity, { applicationId, id });
      if (found === null || isExpired(retention, found)) throw notFound("Delivery");
      // The prompt's test may have ended already; a new test has its own prompt and result.
      if (found.kind === "PROMPT") throw failure("STATE_CONFLICT", "Prompts are not resent: trigger the task again");
      const target = await enabledTarget(tx, call);
      const [row] = await tx.query<DeliverySummary>(resend, [applicationId, clock.now(), target.id, id]);
      if (row === undefined) throw notFound("Delivery");
      return { data: delivery(row) };
    });
    wake(applicationId);
    return answer;
  };
}
