import { invalidField } from "@ems/kit/errors";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { notBefore } from "@ems/kit/retention";
import type { Handlers } from "@ems/kit/rpc/service";
import { durationText, recoveryAgeMs } from "@ems/proto/limits";
import type { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { enabledTarget, resendColumns } from "./queries.ts";

type Handler = Handlers<typeof DeliveryService>["recoverDeliveries"];

/** Resends failed deliveries and those that wait for a retry; not tests, and not due ones, which may be in progress. */
const recover = `WITH recovered AS (
    UPDATE notifications.delivery SET ${resendColumns}
    WHERE application_id = $1 AND created_at >= $4 AND kind = 'EVENT' AND type <> 'webhook.test'
      AND (status = 'FAILED' OR (status = 'PENDING' AND next_attempt_at > $2)) RETURNING 1
  ) SELECT count(*) AS count FROM recovered`;

/** Resends every delivery that failed since a given time, finally or temporarily. */
export function recoverDeliveries({
  database,
  clock,
  retention,
  wake,
}: Pick<Deps, "database" | "clock" | "retention" | "wake">): Handler {
  return async ({ since: requested }, call) => {
    const now = clock.now();
    // The default is never used, because validation requires the field.
    const since = requested === undefined ? now : dateFromTimestamp(requested);
    const agoMs = now.getTime() - since.getTime();
    if (agoMs < 0) throw invalidField(["since"], "must not be in the future");
    if (agoMs > recoveryAgeMs) throw invalidField(["since"], `must be at most ${durationText(recoveryAgeMs)} ago`);

    const answer = await database.change(call, async (tx) => {
      const target = await enabledTarget(tx, call);
      const values = [call.tenant.applicationId, now, target.id, notBefore(retention.since("deliveries"), since)];
      const [row] = await tx.query<{ count: string }>(recover, values);
      return { count: BigInt(row?.count ?? 0) };
    });
    wake(call.tenant.applicationId);
    return answer;
  };
}
