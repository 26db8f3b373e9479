import type { Transaction } from "@ems/kit/db/transaction";
import type { NewId } from "@ems/kit/id";
import type { ContentFor } from "./job-content.ts";
import { enqueue } from "./jobs.ts";

interface DisabledWebhook {
  readonly orgId: string;
  readonly applicationId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly reason: "GONE" | "FAILING";
  readonly disabledAt: Date;
}

/** Adds a mail to the operator (OPERATOR_TO) to the queue, in the transaction that disables a webhook. */
export function notifyOperator(newId: NewId) {
  return async (tx: Transaction, disabled: DisabledWebhook): Promise<void> => {
    const { applicationId, orgId, webhookId, url, reason, disabledAt } = disabled;
    const content: ContentFor<"WEBHOOK_DISABLED"> = {
      kind: "WEBHOOK_DISABLED",
      webhookId,
      // Only the origin, because the rest of a URL may contain secrets.
      origin: new URL(url).origin,
      reason,
      disabledAt: disabledAt.toISOString(),
    };
    await enqueue(tx, disabledAt, [{ applicationId, id: newId(), orgId, userId: "", content }]);
  };
}
