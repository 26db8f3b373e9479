import { plural } from "../ui/format.ts";
import { Time } from "../ui/time.tsx";
import type { DayRange } from "../url/day-range.ts";
import { reachesPast } from "./retained.ts";
import { useRetained } from "./use-retained.ts";

const sentences = {
  traces: ["Traces before ", " are deleted"],
  tests: ["Tests before ", " are kept only as totals for reports"],
  runs: ["Tests before ", " are kept only as totals"],
  overview: ["Days before ", " are kept only as totals"],
  reports: ["Before ", ", only totals per UTC day are available, by topic, evaluator, type and status"],
} as const;

interface RetainedSinceProps {
  readonly of: keyof typeof sentences;
  readonly range: DayRange;
}

/** Shows a note if part of the range is older than the retention period; otherwise nothing. */
export function RetainedSince({ of, range }: RetainedSinceProps) {
  const { retained } = useRetained(of === "traces" ? "traces" : "results");
  if (retained === undefined || !reachesPast(range, retained.firstDay)) return null;
  const [before, after] = sentences[of];
  return (
    <>
      {". "}
      {before}
      <Time value={retained.since} />
      {after}
      {retained.days !== null && ` (retention: ${plural(retained.days, "day")})`}
    </>
  );
}
