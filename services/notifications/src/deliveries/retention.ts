import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { inBatches } from "@ems/kit/prune";
import type { Retained } from "@ems/kit/retention";
import type { Deps } from "../deps.ts";

/** Batch size: small, so that no statement holds locks for long. */
const rowsMax = 1_000;

/** Deletes by application (loose index scan on creation times); a cascade deletes the attempts. */
const pruneStatement = {
  name: "delivery-prune",
  text: `WITH RECURSIVE app AS (
      (SELECT application_id FROM notifications.delivery ORDER BY application_id LIMIT 1)
      UNION ALL
      SELECT next.application_id FROM app CROSS JOIN LATERAL (
        SELECT application_id FROM notifications.delivery
        WHERE application_id > app.application_id ORDER BY application_id LIMIT 1) next
    ), old AS MATERIALIZED (
      SELECT d.row FROM app CROSS JOIN LATERAL (
        SELECT ctid AS row FROM notifications.delivery
        WHERE application_id = app.application_id AND created_at < $1
        ORDER BY created_at LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED) d
      LIMIT ${rowsMax}
    )
    DELETE FROM notifications.delivery WHERE ctid = ANY (ARRAY(SELECT row FROM old))`,
};

/** Retention of deliveries of events and prompts, by creation time, with their attempts. */
export function retainedDeliveries(days: number, relayDatabase: RelayDatabase): Retained {
  return {
    kind: "deliveries",
    days,
    async clear(before, onDeleted) {
      await inBatches(rowsMax, async () => {
        const deleted = await relayDatabase.change({ ...pruneStatement, values: [before] });
        await onDeleted(deleted);
        return deleted;
      });
    },
  };
}

/** Returns true if the delivery is past its retention: it is then hidden, even if not deleted yet. */
export function isExpired(retention: Deps["retention"], { createdAt }: { readonly createdAt: Date }): boolean {
  const since = retention.since("deliveries");
  return since !== undefined && createdAt < since;
}
