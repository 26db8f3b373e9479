import type { Handlers } from "@ems/kit/rpc/service";
import type { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import type { Deps } from "../deps.ts";
import { WebhookEntity } from "./entity.ts";

type Handler = Handlers<typeof WebhookService>["deleteWebhook"];

/** Cancels event deliveries; pending prompts are canceled by the worker, which also writes their outcomes. */
const cancelPending = `UPDATE notifications.delivery
  SET status = 'CANCELLED', next_attempt_at = NULL, leased_until = NULL
  WHERE application_id = $1 AND status = 'PENDING' AND kind = 'EVENT'`;

/** Deletes the webhook of the application and cancels its pending deliveries. */
export function deleteWebhook({ database, invalidate }: Pick<Deps, "database" | "invalidate">): Handler {
  return async (_, call) => {
    const { applicationId } = call.tenant;
    const answer = await database.change(call, async (tx) => {
      // Deletes the webhook first, which waits for concurrent inserts of deliveries; these are then canceled too.
      await tx.delete(WebhookEntity, { applicationId });
      await tx.query(cancelPending, [applicationId]);
      return {};
    });
    invalidate(applicationId);
    return answer;
  };
}
