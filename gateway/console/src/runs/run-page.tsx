import { Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useEffect, useRef } from "react";
import { messageOfError } from "../api/errors.ts";
import { testColumns } from "../tests/test-columns.tsx";
import { testDetails } from "../tests/test-details.tsx";
import { runTestFilters } from "../tests/test-filters.ts";
import { listTests } from "../tests/test-requests.ts";
import { testUrl } from "../tests/test-search.ts";
import { useRescore } from "../tests/use-rescore.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { Filters } from "../ui/filters/filters.tsx";
import { count, plural, score, words } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { clearFilters } from "../url/list-url.ts";
import { EditRun } from "./edit-run.tsx";
import { ErrorCauses } from "./error-causes-section.tsx";
import { pollDelay } from "./poll-delay.ts";
import { RunRate, shortCommit } from "./run-columns.tsx";
import { RunDefinitions } from "./run-definitions.tsx";
import { RunProgress } from "./run-progress.tsx";
import { getRun, isRunning, type Run } from "./run-requests.ts";

const route = getRouteApi("/signed-in/runs/$runId");
const parent = { to: "/runs", label: "Runs" } as const;

export default function RunPage() {
  const { runId } = route.useParams();
  const polls = useRef({ seen: "", since: 0 });
  // Poll with backoff, because the API has no HTTP stream that accepts the console's cookie.
  const refreshMs = (run: Run) => {
    if (!isRunning(run)) return false;
    const seen = JSON.stringify(run.progress);
    if (polls.current.seen !== seen) polls.current = { seen, since: Date.now() };
    return pollDelay(Date.now() - polls.current.since);
  };
  return (
    <Detail request={getRun(runId)} title="Run" parent={parent} refreshMs={({ run }) => refreshMs(run)}>
      {({ run }) => <RunDetail run={run} />}
    </Detail>
  );
}

function RunDetail({ run }: { readonly run: Run }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const onSearch = (change: object) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const reset = clearFilters(testUrl, search);
  const tests = listTests({ ...search, runId: [run.id] });
  const { mutate, isPending, error, data } = useRescore();
  const errored = run.summary?.errored ?? 0;
  // This text changes whenever the run makes progress. The tests are then reloaded.
  const ended = `${run.progress?.completed} ${run.status}`;
  const lastEnded = useRef(ended);
  useEffect(() => {
    if (lastEnded.current === ended) return;
    lastEnded.current = ended;
    void client.invalidateQueries({ queryKey: ["/v0/tests"] });
  }, [ended, client]);
  return (
    <Page
      title={run.name}
      parent={parent}
      mark={<Status value={run.status} />}
      requests={[getRun(run.id), tests]}
      actions={
        <>
          <EditRun id={run.id} />
          {!isRunning(run) && (
            <ActionButton
              operation="POST /v0/evals/rerun"
              variant="default"
              leftSection={<RotateCw size={14} />}
              loading={isPending}
              onClick={() => mutate({ runId: run.id })}
            >
              Re-score
            </ActionButton>
          )}
        </>
      }
    >
      <Stack gap="lg">
        <Facts
          rows={[
            ["Tests finished", <RunProgress key="progress" progress={run.progress} />],
            ["Pass rate", <RunRate key="rate" result={run.result} />],
            ["Average score", score(run.result?.averageScore)],
            ["Failed", count(run.summary?.failed)],
            ["Errored", errored === 0 ? "0" : `${plural(errored, "test")} without a verdict, in no rate`],
            (run.summary?.none ?? 0) > 0 && ["Not judged", count(run.summary?.none)],
            ["Trigger", words(run.type)],
            run.version !== null && ["Version", run.version],
            run.commit !== null && [
              "Commit",
              <code key="commit" title={run.commit}>
                {shortCommit(run.commit)}
              </code>,
            ],
            run.notes !== null && ["Notes", run.notes],
            ["Started", <Time key="started" value={run.createdAt} />],
            ["Changed", <Time key="changed" value={run.modifiedAt} />],
            data !== undefined && [
              "Re-scored",
              data.archived === 0
                ? plural(data.count, "evaluation")
                : `${plural(data.count, "evaluation")}; ${count(data.archived)} archived ones skipped`,
            ],
            error !== null && ["Re-score", messageOfError(error)],
          ]}
        />
        {errored > 0 && (
          <ErrorCauses
            run={run}
            isRescoring={isPending}
            onRescore={(cause) => mutate({ runId: run.id, errorCause: [cause] })}
            onShow={(cause) => onSearch({ outcome: undefined, errorCause: [cause], skip: undefined })}
          />
        )}
        <RunDefinitions run={run} />
        <ListView
          label="Tests of the run"
          request={tests}
          columns={testColumns}
          details={testDetails}
          search={search}
          onSearch={onSearch}
          onReset={reset && (() => onSearch(reset))}
          filters={
            <Filters
              filters={runTestFilters}
              search={search}
              onChange={(change) => onSearch({ ...change, skip: undefined })}
            />
          }
          empty={<EmptyState title="No tests">This run has no tests.</EmptyState>}
        />
      </Stack>
    </Page>
  );
}
