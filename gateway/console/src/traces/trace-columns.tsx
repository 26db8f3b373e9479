import { Status } from "../ui/badges.tsx";
import { count, dollars, duration, localTime, missing, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { Time } from "../ui/time.tsx";
import { labelOf } from "./step-label.ts";
import type { Trace } from "./trace-requests.ts";

export const traceColumns: readonly Column<Trace>[] = [
  {
    id: "name",
    label: "Trace",
    isFixed: true,
    width: 260,
    cell: ({ id, steps, timestamp }) => (
      <AnchorLink to="/traces/$traceId" params={{ traceId: id }} inherit fw={500}>
        {labelOf(steps) ?? localTime(timestamp)}
      </AnchorLink>
    ),
  },
  { id: "type", label: "Type", cell: ({ type }) => words(type) },
  { id: "error", label: "Error", cell: ({ hasError }) => (hasError ? <Status value="error" /> : missing) },
  {
    id: "steps",
    label: "Steps",
    isNumber: true,
    orderBy: "stepCount",
    cell: ({ stepCount }) => count(stepCount),
  },
  {
    id: "duration",
    label: "Duration",
    isNumber: true,
    orderBy: "totalDurationMs",
    cell: ({ totalDurationMs }) => duration(totalDurationMs),
  },
  {
    id: "tokens",
    label: "Tokens",
    isNumber: true,
    cell: ({ tokens }) => `${count(tokens.input)} + ${count(tokens.output)}`,
  },
  {
    id: "cost",
    label: "Cost",
    isNumber: true,
    orderBy: "totalCost",
    cell: ({ totalCost }) => dollars(totalCost),
  },
  {
    id: "test",
    label: "Test",
    cell: ({ testId }) =>
      testId === null ? (
        missing
      ) : (
        <AnchorLink to="/tests/$testId" params={{ testId }} inherit>
          Test
        </AnchorLink>
      ),
  },
  { id: "timestamp", label: "Started", orderBy: "timestamp", cell: ({ timestamp }) => <Time value={timestamp} /> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];
