import { localDate, localTime, missing, utcTime } from "./format.ts";

interface TimeProps {
  readonly value: string | null | undefined;
  /** True to omit the time of day. */
  readonly isDate?: boolean;
}

/** Shows a time in the viewer's time zone, with UTC in the tooltip. */
export function Time({ value, isDate = false }: TimeProps) {
  if (value == null) return <>{missing}</>;
  return (
    <time dateTime={value} title={utcTime(value)} style={{ whiteSpace: "nowrap" }}>
      {isDate ? localDate(value) : localTime(value)}
    </time>
  );
}
