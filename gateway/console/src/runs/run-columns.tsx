import { count, missing, words } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { Rate } from "../ui/rate.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { wilson } from "../ui/wilson.ts";
import { RunProgress } from "./run-progress.tsx";
import { isRunning, type Run } from "./run-requests.ts";

/** Returns the first characters of a hash; other commits are unchanged. */
export const shortCommit = (commit: string) => (/^[0-9a-f]{40,64}$/i.test(commit) ? commit.slice(0, 10) : commit);

/** Shows the pass rate of a run's tests with Wilson's interval. */
export function RunRate({ result }: Pick<Run, "result">) {
  const interval = result == null ? null : wilson(result.passed, result.total);
  return <Rate rate={result?.passRate} low={interval?.low} high={interval?.high} n={result?.total} />;
}

export const runColumns: readonly Column<Run>[] = [
  {
    id: "title",
    label: "Run",
    orderBy: "name",
    isFixed: true,
    width: 220,
    cell: (run) => (
      <RowLink to="/runs/$runId" params={{ runId: run.id }}>
        {run.name}
      </RowLink>
    ),
  },
  { id: "version", label: "Version", width: 110, cell: ({ version }) => version ?? missing },
  {
    id: "commit",
    label: "Commit",
    isOptional: true,
    cell: ({ commit }) => (commit === null ? missing : <code title={commit}>{shortCommit(commit)}</code>),
  },
  { id: "notes", label: "Notes", width: 200, isOptional: true, cell: ({ notes }) => notes ?? "" },
  { id: "type", label: "Trigger", orderBy: "type", cell: ({ type }) => words(type) },
  statusColumn(),
  {
    id: "progress",
    label: "Tests",
    isNumber: true,
    cell: (run) => (isRunning(run) ? <RunProgress progress={run.progress} /> : count(run.progress?.total)),
  },
  { id: "rate", label: "Pass rate", isNumber: true, cell: ({ result }) => <RunRate result={result} /> },
  {
    id: "failed",
    label: "Failed",
    isNumber: true,
    cell: ({ result }) => (result == null ? missing : count(result.failed)),
  },
  { id: "errored", label: "Errored", isNumber: true, cell: ({ summary }) => count(summary?.errored) },
  timeColumn("createdAt", "Started"),
  timeColumn("modifiedAt", "Changed", { isOptional: true }),
  idColumn,
];
