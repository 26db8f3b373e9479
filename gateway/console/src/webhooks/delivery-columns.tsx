import { Status } from "../ui/badges.tsx";
import { count, missing, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { Time } from "../ui/time.tsx";
import type { Delivery } from "./webhook-requests.ts";

/** The response's status, or why there was none. */
export const outcomeText = (statusCode: number | null, outcome: string | null) =>
  statusCode === null ? words(outcome) : `HTTP ${statusCode}`;

export const deliveryColumns: readonly Column<Delivery>[] = [
  {
    id: "type",
    label: "Event",
    isFixed: true,
    width: 200,
    cell: ({ id, type }) => (
      <AnchorLink to="/deliveries/$deliveryId" params={{ deliveryId: id }} inherit fw={500}>
        {type}
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", cell: ({ status }) => <Status value={status} /> },
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
  { id: "createdAt", label: "Created", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { id: "kind", label: "Kind", isOptional: true, cell: ({ kind }) => words(kind) },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];
