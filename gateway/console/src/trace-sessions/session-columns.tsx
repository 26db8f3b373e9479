import { count, dollars, duration, missing } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import type { Session } from "./session-requests.ts";

export const sessionColumns: readonly Column<Session>[] = [
  {
    id: "session",
    label: "Session",
    isFixed: true,
    width: 260,
    cell: ({ id, externalId }) => (
      <RowLink to="/sessions/$sessionId" params={{ sessionId: id }}>
        {externalId}
      </RowLink>
    ),
  },
  { id: "turns", label: "Turns", isNumber: true, cell: (session) => count(session.turns) },
  { id: "users", label: "Users", cell: ({ users }) => (users.length === 0 ? missing : users.join(", ")) },
  { id: "errors", label: "Errors", isNumber: true, cell: ({ errors }) => (errors === 0 ? missing : count(errors)) },
  {
    id: "duration",
    label: "Duration",
    isNumber: true,
    cell: ({ totalDurationMs }) => duration(totalDurationMs),
  },
  {
    id: "tokens",
    label: "Tokens",
    isNumber: true,
    cell: ({ tokens }) => `${count(tokens.input)} + ${count(tokens.output)}`,
  },
  { id: "cost", label: "Cost", isNumber: true, cell: ({ totalCost }) => dollars(totalCost) },
  {
    id: "evaluations",
    label: "Evaluations",
    isNumber: true,
    isOptional: true,
    cell: ({ evaluations }) => count(evaluations.count),
  },
  timeColumn("startedAt", "Started"),
  timeColumn("lastAt", "Last turn"),
  idColumn,
];
