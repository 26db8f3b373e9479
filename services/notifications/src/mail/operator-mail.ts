import type { NewId } from "@ems/kit/id";
import type { EntityManager } from "typeorm";
import { enqueue } from "./jobs.ts";

/** A webhook that was just disabled. */
export interface DisabledWebhook {
  readonly orgId: string;
  readonly applicationId: string;
  readonly webhookId: string;
  readonly reason: "GONE" | "FAILING";
  readonly disabledAt: Date;
}

/**
 * What tells the operator by mail that a webhook was disabled, in the transaction that disables it and on behalf of its
 * application. For installations whose operator has an address (OPERATOR_TO); the mailer finds the mail when it looks next.
 */
export function operatorMail(newId: NewId) {
  return async (manager: EntityManager, webhook: DisabledWebhook): Promise<void> => {
    const { applicationId, orgId, webhookId, reason, disabledAt } = webhook;
    const [row] = await manager.query<{ url: string }[]>(
      "SELECT url FROM notifications.webhook WHERE application_id = $1 AND id = $2",
      [applicationId, webhookId],
    );
    // The rest of a URL may hold secrets.
    const origin = URL.parse(row?.url ?? "")?.origin ?? "an address that is there no more";
    const content = {
      kind: "WEBHOOK_DISABLED",
      webhookId,
      origin,
      reason,
      disabledAt: disabledAt.toISOString(),
    } as const;
    await enqueue(manager, disabledAt, [{ applicationId, id: newId(), orgId, userId: "", content }]);
  };
}
