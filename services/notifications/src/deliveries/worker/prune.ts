import type { Pool } from "pg";

/** So many go in one statement, so that none holds others up. */
const rowsMax = 1_000;

/** Of each application what is older, by the index of when deliveries came. Attempts go with their deliveries. */
const cleanStatement = {
  name: "delivery-clean",
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

/** Removes deliveries that came before `time`, and their attempts; answers how many. */
export async function clean(pool: Pool, time: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const { rowCount } = await pool.query({ ...cleanStatement, values: [time] });
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < rowsMax) return removed;
  }
}
