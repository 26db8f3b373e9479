import { answerNotStored, type ReplayPolicy } from "@ems/kit/db/idempotency";
import type { Transaction } from "@ems/kit/db/transaction";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { SecretBox } from "../secret-box.ts";
import { WebhookEntity, type WebhookRow } from "./entity.ts";
import { webhook } from "./messages.ts";

/** Locks the application's webhook for a change. */
export async function lockedWebhook(tx: Transaction, { tenant }: Call): Promise<WebhookRow> {
  const row = await tx.findOne(WebhookEntity, { applicationId: tenant.applicationId }, { lock: "UPDATE" });
  if (row === null) throw notFound("Webhook");
  return row;
}

/** Idempotency policy: a response with a secret is not stored, so a repeated request gets the current webhook. */
export function replayWebhook(call: Call, box: SecretBox): ReplayPolicy<{ data: ReturnType<typeof webhook> }> {
  return {
    reference: ({ data }) => data.id ?? "",
    replay: async (tx, id) => {
      const row = await tx.findOne(WebhookEntity, { applicationId: call.tenant.applicationId, id });
      if (row === null) throw answerNotStored();
      return { data: webhook(row, box) };
    },
  };
}
