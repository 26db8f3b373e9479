import type { MonthlyRows } from "@ems/kit/retention";
import { type DeletionReason, deleteTraces } from "../traces/index.ts";

/** Batch size: small, so that other transactions wait only briefly for a lock or a connection. */
const batchMax = 200;

export const oldTraces = `SELECT t.id FROM traces.trace t
  WHERE t.application_id = $1 AND t.created_at < $2 AND t.created_at >= coalesce($3, '-infinity'::timestamptz)
  ORDER BY t.created_at, t.id LIMIT ${batchMax} FOR UPDATE`;

const deleteOldest =
  (reason: DeletionReason): MonthlyRows["deleteSome"] =>
  async (tx, applicationId, before, from) => {
    const traces = await tx.query<{ id: string }>(oldTraces, [applicationId, before, from ?? null]);
    return deleteTraces(
      tx,
      applicationId,
      traces.map(({ id }) => id),
      reason,
    );
  };

/** Traces with their steps and words, which are partitioned by month. */
export const monthlyTraces: MonthlyRows = {
  schema: "traces",
  kind: "traces",
  root: "traces.trace",
  deleteSome: deleteOldest("retention"),
};

/** Traces that the archive has. */
export const movedTraces: Pick<MonthlyRows, "deleteSome"> = { deleteSome: deleteOldest("archive") };
