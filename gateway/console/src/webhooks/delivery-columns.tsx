import { count, missing, words } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import type { Delivery } from "./webhook-requests.ts";

/** Returns the response's HTTP status, or the reason why there was no response. */
export const outcomeText = (statusCode: number | null, outcome: string | null) =>
  statusCode === null ? words(outcome) : `HTTP ${statusCode}`;

export const deliveryColumns: readonly Column<Delivery>[] = [
  {
    id: "type",
    label: "Event",
    isFixed: true,
    width: 200,
    cell: ({ id, type }) => (
      <RowLink to="/deliveries/$deliveryId" params={{ deliveryId: id }}>
        {type}
      </RowLink>
    ),
  },
  statusColumn({}),
  {
    id: "outcome",
    label: "Last answer",
    cell: ({ lastStatusCode, lastOutcome }) => outcomeText(lastStatusCode, lastOutcome),
  },
  { id: "attempts", label: "Attempts", isNumber: true, cell: ({ attemptCount }) => count(attemptCount) },
  {
    id: "nextAttemptAt",
    label: "Next attempt",
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? missing : <Time value={nextAttemptAt} />),
  },
  timeColumn("createdAt", "Created"),
  { id: "kind", label: "Kind", isOptional: true, cell: ({ kind }) => words(kind) },
  idColumn,
];
