// Totals of results from daily rollups; rows are counted for days that are only partly in the interval.

import type { Parameters } from "@ems/kit/db/parameters";

export interface Interval {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

export interface CountedResults {
  /** Table of results (`rows`), and table of daily sums (`days`), whose column `rows` is added up. */
  readonly rows: string;
  readonly days: string;
  /** Predicates on either table as `t`, where `?` stands for the value; a null or undefined value does not filter. */
  readonly predicates: readonly (readonly [text: string, value: unknown])[];
  /** Condition on `rows` as `t` that selects the rows counted in the daily sums. */
  readonly isCounted?: string;
}

/** Builds the statement that counts the results between two instants; `$1` is the application. */
export function totalByDays(
  { rows, days, predicates, isCounted = "true" }: CountedResults,
  from?: Date,
  until?: Date,
): (parameters: Parameters) => string {
  const { whole, edges } = wholeDays(from, until);
  return (parameters) => {
    const where = (interval: Interval, column: string) => whereText(predicates, interval, column, parameters);
    const terms = edges.map(
      (edge) => `(SELECT count(*) FROM ${rows} t WHERE ${isCounted} AND ${where(edge, "t.created_at")})`,
    );
    if (whole !== undefined) {
      terms.push(`(SELECT coalesce(sum(t.rows), 0) FROM ${days} t WHERE ${where(whole, "t.day")})`);
    }
    return terms.join(" + ") || "0";
  };
}

/** Builds the predicates and the limits of time; days begin at midnight UTC. */
function whereText(
  predicates: CountedResults["predicates"],
  { from, until }: Interval,
  column: string,
  parameters: Parameters,
): string {
  const instant = column === "t.day" ? "(?::timestamptz AT TIME ZONE 'UTC')::date" : "?";
  const all = [...predicates, [`${column} >= ${instant}`, from] as const, [`${column} < ${instant}`, until] as const];
  const used = all.filter(([, value]) => value !== null && value !== undefined);
  return ["t.application_id = $1", ...used.map(([text, value]) => text.replace("?", parameters.add(value)))].join(
    " AND ",
  );
}

const dayMs = 86_400_000;

/** Splits an interval into its whole UTC days and the partial days at both ends. */
export function wholeDays(from: Date | undefined, until: Date | undefined): { whole?: Interval; edges: Interval[] } {
  const first = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const last = until && new Date(Math.floor(until.getTime() / dayMs) * dayMs);
  const isEmpty = ({ from, until }: Interval) => from !== undefined && until !== undefined && from >= until;
  const whole = { from: first, until: last };
  if (isEmpty(whole)) return { edges: [{ from, until }].filter((interval) => !isEmpty(interval)) };
  const edges = [
    ...(first === undefined ? [] : [{ from, until: first }]),
    ...(last === undefined ? [] : [{ from: last, until }]),
  ];
  return { whole, edges: edges.filter((interval) => !isEmpty(interval)) };
}
