import type pg from "pg";
import { enqueue } from "./jobs.ts";

/** A webhook that was just disabled. */
export interface DisabledWebhook {
  readonly applicationId: string;
  readonly orgId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly reason: "GONE" | "FAILING";
  readonly disabledAt: Date;
}

/**
 * Has the operator told by mail that a webhook was disabled; `eventId` is the id of the event that tells of it, or any new
 * one. `client` is of the role that sees every application's jobs: in the transaction of the change, or after it.
 */
export async function operatorMail(
  client: pg.ClientBase | pg.Pool,
  eventId: string,
  { applicationId, orgId, webhookId, url, reason, disabledAt }: DisabledWebhook,
): Promise<void> {
  const { origin } = new URL(url);
  const content = {
    kind: "WEBHOOK_DISABLED",
    webhookId,
    origin,
    reason,
    disabledAt: disabledAt.toISOString(),
  } as const;
  await enqueue(client, disabledAt, [{ applicationId, id: eventId, orgId, userId: "", content }]);
}
