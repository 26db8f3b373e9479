// Sending again: a delivery becomes due at once, for the webhook of now, and its schedule starts anew. One that is being
// attempted at the moment stays with its worker.

import { unprocessable } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { EntityManager } from "typeorm";
import type { WebhookRow } from "./entities/webhook.ts";
import { enabledWebhook } from "./webhook-reads.ts";

/** What is set: `$2` is now, `$3` the webhook's id. */
export const sendAgain = `status = 'PENDING', next_attempt_at = $2, schedule_step = 0, webhook_id = $3,
  leased_until = CASE WHEN status = 'PENDING' THEN leased_until END`;

/** The webhook to send to; held as by `enabledWebhook`. */
export async function webhookToSendTo(manager: EntityManager, call: Call): Promise<WebhookRow> {
  const webhook = await enabledWebhook(manager, call);
  if (webhook === undefined) throw unprocessable("The application has no webhook");
  return webhook;
}
