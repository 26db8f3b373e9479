// Retention of traces.

import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import { clearMonths, type MonthsDeps, Retention } from "@ems/kit/retention";
import { monthlyTraces } from "./delete-oldest.ts";

export { monthlyTraces, movedTraces } from "./delete-oldest.ts";

interface RetentionDeps extends MonthsDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Deletes archived rows and returns their number. */
  readonly expireArchived: (before: Date) => Promise<number>;
}

const batch = 5_000;
const oldRows = (table: string) => `DELETE FROM traces.${table} WHERE (application_id, id) IN (
    SELECT application_id, id FROM traces.${table} WHERE created_at < $1 LIMIT ${batch})
  RETURNING id`;

/** Deletes feedback or external evaluations whose trace never arrived. */
async function deleteOld(
  { relayDatabase }: RetentionDeps,
  table: "feedback" | "external_evaluation",
  before: Date,
  onDeleted: (rows: number) => Promise<void>,
): Promise<void> {
  for (;;) {
    const deleted = await relayDatabase.query({ text: oldRows(table), values: [before] });
    // Only traces are counted.
    await onDeleted(0);
    if (deleted.length < batch) return;
  }
}

/** Attachments whose trace never arrived. Those of other traces are deleted with them. */
const oldUses = "DELETE FROM traces.trace_attachment WHERE created_at < $1";
const unusedAttachments = `DELETE FROM traces.attachment a WHERE a.created_at < $1 AND NOT EXISTS (
    SELECT FROM traces.trace_attachment t WHERE t.application_id = a.application_id AND t.hash = a.hash)`;

/** Hides and deletes traces older than `days`. */
export function tracesRetention(days: number | undefined, deps: RetentionDeps): Retention<"traces"> {
  const kinds = [
    {
      kind: "traces" as const,
      days,
      clear: async (before: Date, onDeleted: (rows: number) => Promise<void>) => {
        await clearMonths(deps, monthlyTraces, before, onDeleted);
        await onDeleted(await deps.expireArchived(before));
        await deleteOld(deps, "feedback", before, onDeleted);
        await deleteOld(deps, "external_evaluation", before, onDeleted);
        await deps.relayDatabase.query({ text: oldUses, values: [before] });
        await deps.relayDatabase.query({ text: unusedAttachments, values: [before] });
      },
    },
  ];
  const prepare = async () => {
    await deps.relayDatabase.query({ text: "SELECT traces.hide_expired()" });
  };
  return new Retention({ schema: "traces", kinds, prepare }, deps);
}
