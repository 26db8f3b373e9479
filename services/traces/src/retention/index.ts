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

/** Hides and deletes traces older than `days`. */
export function tracesRetention(days: number | undefined, deps: RetentionDeps): Retention<"traces"> {
  const kinds = [
    {
      kind: "traces" as const,
      days,
      clear: async (before: Date, onDeleted: (rows: number) => Promise<void>) => {
        await clearMonths(deps, monthlyTraces, before, onDeleted);
        await onDeleted(await deps.expireArchived(before));
      },
    },
  ];
  const prepare = async () => {
    await deps.relayDatabase.query({ text: "SELECT traces.hide_expired()" });
  };
  return new Retention({ schema: "traces", kinds, prepare }, deps);
}
