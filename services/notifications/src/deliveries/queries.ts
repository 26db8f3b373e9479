// Sending again: a delivery becomes due at once, for the webhook of now, and its schedule starts anew. It is taken from a
// worker that has it in hand: whatever comes of the attempt under way, one more follows.

import type { Transaction } from "@ems/kit/db/transaction";
import { unprocessable } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { WebhookRow } from "../webhooks/entity.ts";
import { heldWebhook } from "../webhooks/queries.ts";

/** What is set: `$2` is now, `$3` the webhook's id. */
export const sendAgain = `status = 'PENDING', next_attempt_at = $2, schedule_step = 0, webhook_id = $3, leased_until = NULL`;

/** The webhook to send to, held until the transaction ends. */
export async function enabledWebhook(tx: Transaction, call: Call): Promise<WebhookRow> {
  const webhook = await heldWebhook(tx, call);
  if (webhook === null) throw unprocessable("The application has no webhook");
  if (webhook.disabledAt !== null) throw unprocessable("The webhook is disabled; setting it enables it");
  return webhook;
}
