// Page that compares two runs, with statistics.

import { Stack, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { read } from "../api/query.ts";
import { ChangedTasks } from "../comparisons/changed-tasks.tsx";
import { type Comparison, compareRuns } from "../comparisons/comparison-requests.ts";
import { ComparisonTable } from "../comparisons/comparison-table.tsx";
import { DifferenceFacts } from "../comparisons/difference-facts.tsx";
import { Detail } from "../ui/detail.tsx";
import { AnchorLink, ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { getRun, isRunning } from "./run-requests.ts";

const route = getRouteApi("/signed-in/runs/compare");
const parent = { to: "/runs", label: "Runs" } as const;
const title = "Compare runs";
/** Polling interval while a run is in progress. */
const refreshMs = 5_000;

export default function RunComparisonPage() {
  const { a, b } = route.useSearch();
  if (a === undefined || b === undefined) {
    return (
      <Page title={title} parent={parent} requests={[]}>
        <EmptyState title="Select two runs" action={<ButtonLink to="/runs">Choose runs</ButtonLink>}>
          Select two runs in the list to compare them task by task.
        </EmptyState>
      </Page>
    );
  }
  return <ComparedRuns a={a} b={b} />;
}

interface ComparedRunsProps {
  readonly a: string;
  readonly b: string;
}

function ComparedRuns({ a, b }: ComparedRunsProps) {
  const runs = useQueries({ queries: [a, b].map((id) => read(getRun(id))) });
  const isGoingOn = runs.some(({ data }) => data !== undefined && isRunning(data.run));
  const [nameA, nameB] = runs.map(({ data }) => data?.run.name);
  const names = { a: nameA ?? "The first run", b: nameB ?? "The second run" };
  return (
    <Detail request={compareRuns(a, b)} title={title} parent={parent} refreshMs={() => (isGoingOn ? refreshMs : false)}>
      {({ data }) => <RunComparison a={a} b={b} names={names} comparison={data} />}
    </Detail>
  );
}

interface RunComparisonProps extends ComparedRunsProps {
  readonly names: { readonly a: string; readonly b: string };
  readonly comparison: Comparison;
}

function RunComparison({ a, b, names, comparison }: RunComparisonProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const head = (id: string, name: string) => (
    <AnchorLink to="/runs/$runId" params={{ runId: id }} inherit fw={500}>
      {name}
    </AnchorLink>
  );
  return (
    <Page
      title={title}
      parent={parent}
      description="The first run is the baseline. Runs are compared task by task"
      requests={[compareRuns(a, b)]}
      actions={
        <ButtonLink
          to="/runs/compare"
          search={{ a: b, b: a }}
          variant="default"
          leftSection={<ArrowLeftRight size={14} />}
        >
          Swap
        </ButtonLink>
      }
    >
      <Stack gap="xl">
        {comparison.difference !== null && <DifferenceFacts difference={comparison.difference} />}
        <ComparisonTable
          label="Run comparison"
          baseline={{
            id: a,
            head: (
              <>
                {head(a, names.a)}
                <Text size="xs" c="dimmed">
                  Baseline
                </Text>
              </>
            ),
            comparison,
          }}
          sides={[{ id: b, head: head(b, names.b), comparison }]}
        />
        <ChangedTasks
          tasks={comparison.changedTasks}
          names={{ baseline: names.a, variant: names.b }}
          search={search}
          onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        />
      </Stack>
    </Page>
  );
}
