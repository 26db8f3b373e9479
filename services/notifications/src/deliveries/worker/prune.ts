import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { inBatches } from "@ems/kit/prune";

/** Batch size: no statement holds locks for long. */
const rowsMax = 1_000;

/** Application by application (loose index scan), by the index of creation times; attempts are deleted by cascade. */
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

/** Deletes deliveries that were created before `time`, and their attempts. */
export function pruneDeliveries(relayDatabase: RelayDatabase, time: Date): Promise<number> {
  return inBatches(rowsMax, () => relayDatabase.change({ ...pruneStatement, values: [time] }));
}
