import { plural } from "../ui/format.ts";
import { Time } from "../ui/time.tsx";
import type { DayRange } from "../url/day-range.ts";
import { reachesPast } from "./retained.ts";
import { useRetained } from "./use-retained.ts";

const sentences = {
  traces: ["Those before ", " are gone"],
  tests: ["Of those before ", " only sums are left, for reports"],
  runs: ["Of the tests of those before ", " only sums are left"],
  overview: ["It begins with ", ", before which only sums are left"],
  reports: ["Before ", " there are sums of whole UTC days alone, by topic, definition, type and status"],
} as const;

interface RetainedSinceProps {
  readonly of: keyof typeof sentences;
  readonly range: DayRange;
}

/** A sentence for pages whose range has days past their retention. */
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
      {retained.days !== null && `: they are kept for ${plural(retained.days, "day")}`}
    </>
  );
}
