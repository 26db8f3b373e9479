import type { Disabled } from "../delivery/disable.ts";
import { enqueue, type Sql } from "./jobs.ts";

/**
 * Has the operator told by mail that a webhook was disabled; `eventId` is the id of the event that tells of it, or any new
 * one. In the transaction of the change, on behalf of the application, or after it.
 */
export async function operatorMail(
  client: Sql,
  eventId: string,
  { applicationId, orgId, webhookId, url, reason, disabledAt }: Disabled,
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
