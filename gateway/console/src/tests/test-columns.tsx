import { CostCell } from "../model-prices/unpriced-link.tsx";
import { Outcome } from "../ui/badges.tsx";
import { count, duration, missing, percent, score, words } from "../ui/format.ts";
import { AnchorLink, RowLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import type { Test } from "./test-requests.ts";

/** Converts a prompt to text. Values other than text become JSON. */
export const toText = (value: unknown): string =>
  typeof value === "string" ? value : value == null ? "" : JSON.stringify(value, null, 2);

const shortest = (text: string) => (text.length > 140 ? `${text.slice(0, 140)}…` : text);

export const testColumns: readonly Column<Test>[] = [
  {
    id: "task",
    label: "Task",
    isFixed: true,
    width: 220,
    cell: ({ id, task, taskId }) => (
      <RowLink to="/tests/$testId" params={{ testId: id }}>
        {task?.title ?? taskId}
      </RowLink>
    ),
  },
  { id: "passed", label: "Result", orderBy: "outcome", cell: ({ outcome }) => <Outcome value={outcome} /> },
  statusColumn(),
  { id: "score", label: "Score", isNumber: true, cell: (test) => score(test.score) },
  {
    id: "evaluations",
    label: "Evaluations passed",
    isNumber: true,
    cell: ({ result }) => (result == null ? missing : `${count(result.passed)} of ${count(result.total)}`),
  },
  {
    id: "rate",
    label: "Share passed",
    isNumber: true,
    isOptional: true,
    cell: ({ result }) => percent(result?.passRate, 0),
  },
  {
    id: "duration",
    label: "Response time",
    isNumber: true,
    orderBy: "durationMs",
    cell: ({ durationMs }) => duration(durationMs),
  },
  {
    id: "cost",
    label: "Cost",
    isNumber: true,
    orderBy: "cost",
    cell: ({ usage }) =>
      usage === null ? missing : <CostCell cost={usage.cost} steps={usage.unpricedSteps} models={[]} />,
  },
  { id: "prompt", label: "Prompt", width: 260, isOptional: true, cell: ({ prompt }) => shortest(toText(prompt)) },
  { id: "errorCause", label: "Error cause", isOptional: true, cell: ({ errorCause }) => words(errorCause) },
  { id: "message", label: "Message", width: 200, isOptional: true, cell: ({ message }) => message ?? "" },
  { id: "waitingFor", label: "Waiting for", isOptional: true, cell: ({ waitingFor }) => words(waitingFor) },
  { id: "runType", label: "Trigger", isOptional: true, cell: ({ runType }) => words(runType) },
  timeColumn("createdAt", "Executed"),
  {
    id: "run",
    label: "Run",
    isOptional: true,
    cell: ({ runId }) => (
      <AnchorLink to="/runs/$runId" params={{ runId }} inherit>
        Run
      </AnchorLink>
    ),
  },
  idColumn,
];
