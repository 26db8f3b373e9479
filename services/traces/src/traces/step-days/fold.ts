import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";

const timeoutMs = 25_000;
const changesMax = 1_000;

const dimensions = "type, status, model, provider";
const sums =
  "rows errored duration_rows duration cost_rows cost unpriced usage_rows input cached writes output reasoning".split(
    " ",
  );
const typed = sums.map((name) => `${name} numeric`).join(", ");

// The order of keys prevents deadlocks with other processes.
const fold = `WITH taken AS (
    DELETE FROM traces.step_change WHERE application_id = $1 AND id IN (
      SELECT id FROM traces.step_change WHERE application_id = $1 LIMIT ${changesMax} FOR UPDATE SKIP LOCKED)
    RETURNING org_id, changes
  ), change AS MATERIALIZED (
    SELECT taken.org_id, c.* FROM taken CROSS JOIN LATERAL json_to_recordset(taken.changes)
      c (day date, key uuid, type text, status text, model text, provider text, buckets json, ${typed})
  ), days AS (
    INSERT INTO traces.step_day AS stored (application_id, day, key, org_id, ${dimensions}, ${sums.join(", ")})
    SELECT $1, day, key, min(org_id), ${dimensions}, ${sums.map((name) => `sum(${name})`).join(", ")}
    FROM change GROUP BY day, key, ${dimensions} ORDER BY day, key
    ON CONFLICT (application_id, day, key) DO UPDATE SET
      ${sums.map((name) => `${name} = stored.${name} + excluded.${name}`).join(", ")}
  )
  INSERT INTO traces.step_day_duration AS stored (application_id, day, key, bucket, hits)
  SELECT $1, c.day, c.key, b.key::integer, sum(b.value::text::bigint)
  FROM change c CROSS JOIN LATERAL json_each(c.buckets) b
  GROUP BY c.day, c.key, b.key ORDER BY c.day, c.key, b.key
  ON CONFLICT (application_id, day, key, bucket) DO UPDATE SET hits = stored.hits + excluded.hits`;

/** Folds changes of an application's steps into the sums by day. Reports are exact before and after. */
export async function foldStepDays(database: Database, applicationId: string): Promise<void> {
  await database.execute({ applicationId }, monotonicMs() + timeoutMs, [
    { name: "fold-step-days", text: fold, values: [applicationId] },
  ]);
}
