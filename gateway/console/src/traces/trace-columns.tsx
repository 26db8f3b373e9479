import { listUnpricedModels } from "../model-prices/unpriced.ts";
import { CostCell } from "../model-prices/unpriced-link.tsx";
import { Status } from "../ui/badges.tsx";
import { count, duration, localTime, missing, words } from "../ui/format.ts";
import { AnchorLink, RowLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { findLabel } from "./step-label.ts";
import type { Trace } from "./trace-requests.ts";

export const traceColumns: readonly Column<Trace>[] = [
  {
    id: "name",
    label: "Trace",
    isFixed: true,
    width: 260,
    cell: ({ id, steps, timestamp }) => (
      <RowLink to="/traces/$traceId" params={{ traceId: id }}>
        {findLabel(steps) ?? localTime(timestamp)}
      </RowLink>
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
    cell: ({ totalCost, unpricedSteps, steps }) => (
      <CostCell cost={totalCost} steps={unpricedSteps} models={listUnpricedModels(steps)} />
    ),
  },
  { id: "service", label: "Service", isOptional: true, cell: ({ service }) => service ?? missing },
  { id: "version", label: "Version", isOptional: true, cell: ({ version }) => version ?? missing },
  { id: "environment", label: "Environment", isOptional: true, cell: ({ environment }) => environment ?? missing },
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
  timeColumn("timestamp", "Started"),
  idColumn,
];
