// Circuit breaker: disables a webhook whose receiver no longer exists or has failed for long, and publishes the change.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Clock, monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Publish } from "@ems/kit/events/publish";
import type { Logger } from "@ems/kit/log";
import type { Claimed } from "./claim.ts";

export interface Disabled {
  readonly orgId: string;
  readonly applicationId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly reason: "GONE" | "FAILING";
  readonly disabledAt: Date;
}

export interface DisableDeps {
  readonly database: Database;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called in the transaction that disables the webhook, to notify the operator. */
  readonly onDisabled?: ((tx: Transaction, disabled: Disabled) => Promise<void>) | undefined;
}

export type Disable = (claimed: Claimed, reason: Disabled["reason"]) => Promise<void>;

/** Long timeout, because one statement fails all deliveries in the queue. */
const timeoutMs = 30_000;

/**
 * Returns a function that, in one transaction, disables a webhook, fails its pending deliveries, publishes the event
 * and calls `onDisabled`. The worker ends pending prompts with their outcomes.
 */
export function createDisable({ database, publish, clock, log, onDisabled }: DisableDeps): Disable {
  return async ({ applicationId, orgId, webhook }, reason) => {
    if (webhook === null) return;
    const disabledAt = clock.now();
    const disabled = { orgId, applicationId, webhookId: webhook.id, url: webhook.url, reason, disabledAt };
    const deadlineMs = monotonicMs() + timeoutMs;
    const wasEnabled = await database.withScope({ applicationId, orgId }, deadlineMs, async (tx) => {
      const rows = await tx.query<{ header_names: string[] }>(
        `UPDATE notifications.webhook SET disabled_at = $1, disabled_reason = $2
         WHERE application_id = $3 AND id = $4 AND url = $5 AND modified_at = $6 AND disabled_at IS NULL
         RETURNING header_names`,
        [disabledAt, reason, applicationId, webhook.id, webhook.url, webhook.modifiedAt],
      );
      const [row] = rows;
      if (row === undefined) return false;
      await tx.query(
        `UPDATE notifications.delivery
         SET status = 'FAILED', last_outcome = 'DISABLED', next_attempt_at = NULL, leased_until = NULL
         WHERE application_id = $1 AND status = 'PENDING' AND kind = 'EVENT'`,
        [applicationId],
      );
      const value = {
        id: webhook.id,
        url: webhook.url,
        headerNames: row.header_names,
        disabledAt: timestampFromDate(disabledAt),
        modifiedAt: timestampFromDate(webhook.modifiedAt),
      };
      await publish(tx, { applicationId, orgId, userId: "" }, { case: "webhookUpdated", value });
      await onDisabled?.(tx, disabled);
      return true;
    });
    if (wasEnabled) log.warn({ applicationId, webhookId: webhook.id, reason }, "webhook disabled");
  };
}
