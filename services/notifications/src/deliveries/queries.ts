import type { Transaction } from "@ems/kit/db/transaction";
import { failure } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";

/** Fields of a webhook that deliveries need. */
export interface DeliveryTarget {
  readonly id: string;
  readonly disabledAt: Date | null;
}

/**
 * Locks webhooks in a fixed order, which prevents deadlocks. Because of the key lock, a concurrent deletion waits and
 * then also cancels these deliveries.
 */
const targetsText = `SELECT application_id AS "applicationId", id, disabled_at AS "disabledAt" FROM notifications.webhook
  WHERE application_id = ANY ($1) ORDER BY application_id FOR KEY SHARE`;

/** Finds the webhooks of the events' applications, by application. */
export async function findTargets(
  tx: Transaction,
  events: readonly { readonly applicationId: string }[],
): Promise<Map<string, DeliveryTarget>> {
  const applicationIds = [...new Set(events.map(({ applicationId }) => applicationId))];
  const targets = await tx.query<DeliveryTarget & { readonly applicationId: string }>(targetsText, [applicationIds]);
  return new Map(targets.map((target) => [target.applicationId, target]));
}

/**
 * SET clause of a resend: due immediately, schedule restarted, lease revoked. `$2` is the current time, `$3` the ID of
 * the webhook.
 */
export const resendColumns = `status = 'PENDING', next_attempt_at = $2, schedule_step = 0, webhook_id = $3, leased_until = NULL`;

/** Locks the application's webhook, so that it is neither deleted nor disabled until the transaction ends. */
export async function lockedTarget(tx: Transaction, { tenant }: Call): Promise<DeliveryTarget | undefined> {
  const [target] = await tx.query<DeliveryTarget>(
    `SELECT id, disabled_at AS "disabledAt" FROM notifications.webhook WHERE application_id = $1 FOR SHARE`,
    [tenant.applicationId],
  );
  return target;
}

export async function enabledTarget(tx: Transaction, call: Call): Promise<DeliveryTarget> {
  const target = await lockedTarget(tx, call);
  if (target === undefined) throw failure("WEBHOOK_INACTIVE", "The application has no webhook");
  if (target.disabledAt !== null) throw failure("WEBHOOK_INACTIVE", "The webhook is disabled; save it to enable it");
  return target;
}
