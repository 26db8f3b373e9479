import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { read, readList } from "../api/query.ts";
import { retainedDays } from "../retention/retained.ts";
import { RetainedSince } from "../retention/retained-since.tsx";
import { useRetained } from "../retention/use-retained.ts";
import { SampleDataButton } from "../sample-data/sample-data-button.tsx";
import { createTopic } from "../topics/topic-requests.ts";
import { DayFilter } from "../ui/filters/day-filter.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ChangedTopics } from "./changed-topics.tsx";
import { LatestRuns } from "./latest-runs.tsx";
import classes from "./overview.module.css";
import {
  anyTopic,
  byDay,
  byTopic,
  getRange,
  judging,
  lastWeek,
  latestRuns,
  totals,
  worstTopics,
} from "./overview-requests.ts";
import { RateByDay, TestsByDay } from "./rates-by-day.tsx";
import { Totals } from "./totals.tsx";
import { Waiting } from "./waiting.tsx";
import { WorstTopics } from "./worst-topics.tsx";

const route = getRouteApi("/signed-in/");

export default function OverviewPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = getRange(search);
  const { retained } = useRetained("results");
  const range = retainedDays(chosen, retained?.firstDay);
  const topics = useQuery(read(anyTopic));
  const series = useQuery(readList(byDay(range)));
  const goTo = (next: { from?: string; to?: string }) => void navigate({ search: next });
  const isEmpty = topics.data?.pagination?.total === 0;
  return (
    <Page
      title="Overview"
      description={
        <>
          Results of the selected days
          <RetainedSince of="overview" range={chosen} />
        </>
      }
      requests={[totals(range), byDay(range), judging(range), worstTopics(range), byTopic(lastWeek(range)), latestRuns]}
      actions={<DayFilter value={chosen} onChange={goTo} />}
    >
      {isEmpty ? (
        <EmptyState
          title="No tests yet"
          action={
            <Group justify="center">
              <ButtonLink to="/topics">Create a topic</ButtonLink>
              <SampleDataButton />
            </Group>
          }
          request={createTopic({ title: "Opening an account" })}
        >
          Create a topic with tasks, link an evaluator to judge the answers, and run the tasks. Or try the sample data:
          three banking topics with a month of results. You can archive them later.
        </EmptyState>
      ) : (
        <Stack gap="lg">
          <Totals range={range} />
          <div className={classes.columns}>
            <RateByDay series={series} range={range} onDays={goTo} />
            <TestsByDay series={series} range={range} onDays={goTo} />
          </div>
          <div className={classes.columns}>
            <WorstTopics range={range} />
            <ChangedTopics range={range} />
          </div>
          <div className={classes.columns}>
            <LatestRuns />
            <Waiting range={range} />
          </div>
        </Stack>
      )}
    </Page>
  );
}
