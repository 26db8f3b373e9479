// The application's webhook, as it is read and locked.

import { answeredBefore, type Repeat } from "@ems/kit/db/idempotency";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { SecretBox } from "../secret-box.ts";
import { WebhookEntity, type WebhookRow } from "./entity.ts";
import { webhook } from "./messages.ts";

/** The application's webhook, held until the transaction ends. */
export async function lockedWebhook(tx: Transaction, { tenant }: Call): Promise<WebhookRow> {
  const row = await tx.findOne(WebhookEntity, { applicationId: tenant.applicationId }, { lock: "UPDATE" });
  if (row === null) throw notFound("Webhook");
  return row;
}

/**
 * The application's webhook to make deliveries for: until the transaction ends it is neither deleted nor disabled. Whoever
 * wants to do that waits, and finds what was made.
 */
export function heldWebhook(tx: Transaction, { tenant }: Call): Promise<WebhookRow | null> {
  const { applicationId } = tenant;
  return tx.findOne(WebhookEntity, { applicationId }, { lock: "SHARE" });
}

/** What shows a webhook is not kept, because of its secret: a repeat shows the same webhook as it is by then. */
export function shownAgain(call: Call, box: SecretBox): Repeat<{ data: ReturnType<typeof webhook> }> {
  return {
    note: ({ data }) => data.id ?? "",
    again: async (tx, id) => {
      const row = await tx.findOne(WebhookEntity, { applicationId: call.tenant.applicationId, id });
      if (row === null) throw answeredBefore();
      return { data: webhook(row, box) };
    },
  };
}
