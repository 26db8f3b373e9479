import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import { Retention } from "@ems/kit/retention";
import { type ClearDeps, clear } from "./clear.ts";

export { deleteAll, dropMonths } from "./clear.ts";
export { checkRetention, retentionSettings } from "./settings.ts";

interface Days {
  readonly RETENTION_DAYS_TRACES?: number | undefined;
  readonly RETENTION_DAYS_RESULTS?: number | undefined;
}

/** Of traces and results. */
export function resultsRetention(
  { RETENTION_DAYS_TRACES: traces, RETENTION_DAYS_RESULTS: results }: Days,
  deps: ClearDeps & { readonly clock: Clock; readonly log: Logger },
): Retention<"traces" | "results"> {
  const retained = (kind: "traces" | "results", days: number | undefined) => ({
    kind,
    days,
    clear: (before: Date, onDeleted: (rows: number) => Promise<void>) => clear(deps, kind, before, onDeleted),
  });
  const kinds = [retained("traces", traces), retained("results", results)];
  const hide = async () => {
    await deps.relayDatabase.query({ text: "SELECT experiments.hide_expired()" });
  };
  return new Retention({ schema: "experiments", kinds, prepare: hide }, deps);
}
