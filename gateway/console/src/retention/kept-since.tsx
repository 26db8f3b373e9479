import { plural } from "../ui/format.ts";
import { Time } from "../ui/time.tsx";
import type { DayRange } from "../url/day-range.ts";
import { reachesPast } from "./kept.ts";
import { useKept } from "./use-kept.ts";

const sentences = {
  traces: ["Those before ", " are gone"],
  tests: ["Of those before ", " only sums are left, for reports"],
  runs: ["Of the tests of those before ", " only sums are left"],
  overview: ["It begins with ", ", before which only sums are left"],
  reports: ["Before ", " there are sums of whole UTC days alone, by topic, definition, type and status"],
} as const;

interface KeptSinceProps {
  readonly of: keyof typeof sentences;
  readonly range: DayRange;
}

/** A sentence for pages whose range has days past their retention. */
export function KeptSince({ of, range }: KeptSinceProps) {
  const { kept } = useKept(of === "traces" ? "traces" : "results");
  if (kept === undefined || !reachesPast(range, kept.firstDay)) return null;
  const [before, after] = sentences[of];
  return (
    <>
      {". "}
      {before}
      <Time value={kept.since} />
      {after}
      {kept.days !== null && `: they are kept for ${plural(kept.days, "day")}`}
    </>
  );
}
