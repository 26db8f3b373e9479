import type { Transaction } from "@ems/kit/db/transaction";
import type { NewId } from "@ems/kit/id";
import type { Disabled } from "../deliveries/worker/disable.ts";
import { enqueue } from "./jobs.ts";

/**
 * What tells the operator by mail that a webhook was disabled, in the transaction that disables it and on behalf of its
 * application. For installations whose operator has an address (OPERATOR_TO); the mailer finds the mail when it looks next.
 */
export function operatorMail(newId: NewId) {
  return async (tx: Transaction, disabled: Disabled): Promise<void> => {
    const { applicationId, orgId, webhookId, url, reason, disabledAt } = disabled;
    // The rest of a URL may hold secrets.
    const { origin } = new URL(url);
    const content = {
      kind: "WEBHOOK_DISABLED",
      webhookId,
      origin,
      reason,
      disabledAt: disabledAt.toISOString(),
    } as const;
    await enqueue(tx, disabledAt, [{ applicationId, id: newId(), orgId, userId: "", content }]);
  };
}
