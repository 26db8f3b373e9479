// Loads the installation's retention periods.

import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { getEvaluationSettings } from "../settings/settings-requests.ts";
import { firstRetainedDay } from "./retained.ts";

export interface Retained {
  readonly days: number | null;
  readonly since: string;
  /** First day in the viewer's time zone that is fully retained. */
  readonly firstDay: string;
}

export function useRetained(kind: "traces" | "results"): {
  /** Retention limit. Undefined if there is no limit or the settings cannot be read. */
  readonly retained: Retained | undefined;
  readonly isPending: boolean;
} {
  const { data, isPending } = useQuery(read(getEvaluationSettings()));
  const period = data?.data.retention?.[kind];
  const since = period?.since ?? undefined;
  return {
    retained:
      since === undefined ? undefined : { days: period?.days ?? null, since, firstDay: firstRetainedDay(since) },
    isPending,
  };
}
