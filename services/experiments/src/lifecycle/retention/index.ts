// Retention of results (tests and evaluations).

import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import { clearMonths, type MonthsDeps, Retention } from "@ems/kit/retention";
import { monthlyResults } from "./delete-oldest.ts";

export { monthlyResults } from "./delete-oldest.ts";
export { checkRetention, retentionSettings } from "./settings.ts";

interface RetentionDeps extends MonthsDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** Deletes archived rows and returns the number of deleted rows. */
  readonly expireArchived: (before: Date) => Promise<number>;
}

/** Hides and deletes tests and evaluations older than `days`. */
export function resultsRetention(days: number | undefined, deps: RetentionDeps): Retention<"results"> {
  const kinds = [
    {
      kind: "results" as const,
      days,
      clear: async (before: Date, onDeleted: (rows: number) => Promise<void>) => {
        await clearMonths(deps, monthlyResults, before, onDeleted);
        await onDeleted(await deps.expireArchived(before));
      },
    },
  ];
  const prepare = async () => {
    await deps.relayDatabase.query({ text: "SELECT experiments.hide_expired()" });
  };
  return new Retention({ schema: "experiments", kinds, prepare }, deps);
}
