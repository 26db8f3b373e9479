// Retention of traces.

import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import { clearMonths, type MonthsDeps, Retention } from "@ems/kit/retention";
import { monthlyTraces } from "./delete-oldest.ts";

export { monthlyTraces } from "./delete-oldest.ts";

interface RetentionDeps extends MonthsDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Deletes archived rows and returns their number. */
  readonly expireArchived: (before: Date) => Promise<number>;
}

const feedbackBatch = 5_000;
const oldFeedback = `DELETE FROM traces.feedback WHERE (application_id, id) IN (
    SELECT application_id, id FROM traces.feedback WHERE created_at < $1 LIMIT ${feedbackBatch})
  RETURNING id`;

/** Deletes feedback whose trace was archived, or never arrived. */
async function deleteFeedback(
  { relayDatabase }: RetentionDeps,
  before: Date,
  onDeleted: (rows: number) => Promise<void>,
): Promise<void> {
  for (;;) {
    const deleted = await relayDatabase.query({ text: oldFeedback, values: [before] });
    // Only traces are counted.
    await onDeleted(0);
    if (deleted.length < feedbackBatch) return;
  }
}

/** Hides and deletes traces older than `days`. */
export function tracesRetention(days: number | undefined, deps: RetentionDeps): Retention<"traces"> {
  const kinds = [
    {
      kind: "traces" as const,
      days,
      clear: async (before: Date, onDeleted: (rows: number) => Promise<void>) => {
        await clearMonths(deps, monthlyTraces, before, onDeleted);
        await onDeleted(await deps.expireArchived(before));
        await deleteFeedback(deps, before, onDeleted);
      },
    },
  ];
  const prepare = async () => {
    await deps.relayDatabase.query({ text: "SELECT traces.hide_expired()" });
  };
  return new Retention({ schema: "traces", kinds, prepare }, deps);
}
