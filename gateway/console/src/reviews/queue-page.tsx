// Page to review a queue's traces one at a time, with buttons or keys.

import { Group, Kbd, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { readAll, readList, useChange } from "../api/query.ts";
import { choices } from "../ui/filters/choice-filter.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { count } from "../ui/format.ts";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Places } from "../ui/places.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { usePageKeys } from "../ui/use-page-keys.ts";
import { CriterionPanel } from "./criterion-panel.tsx";
import { Judged } from "./judged.tsx";
import type { Judgement, JudgementKeys } from "./judgement-form.tsx";
import { PendingReview } from "./pending-review.tsx";
import { QueueActions } from "./queue-actions.tsx";
import { allQueues, annotate, completions, itemAt, refreshedByReviews } from "./review-requests.ts";
import { TraceConversation } from "./trace-conversation.tsx";

const route = getRouteApi("/signed-in/reviews/$queueId");
const parent = { to: "/reviews", label: "Review queues" } as const;

export default function QueuePage() {
  const { queueId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const request = itemAt(queueId, search);
  const { data, error, refetch, isPlaceholderData } = useQuery(readList(request));
  const queue = useQuery(readAll(allQueues)).data?.find(({ id }) => id === queueId);
  const change = useChange(annotate, { refreshes: refreshedByReviews });
  const keys = useRef<JudgementKeys>(null);
  const [item] = data?.data ?? [];
  const total = data?.pagination?.total ?? 0;
  const at = search.skip ?? 0;
  const show = (skip: number) =>
    void navigate({ search: (before) => ({ ...before, skip: skip === 0 ? undefined : skip }) });
  const isPending = (search.completion ?? "PENDING") === "PENDING";
  // A reviewed trace leaves the list. If it was the last, go back by one.
  const leave = () => at > 0 && at + 1 >= total && show(at - 1);
  const judge = ({ verdict, critique, score }: Judgement) => {
    // Ignore input while the next trace loads, because the page still shows the previous trace.
    if (item === undefined || change.isPending || isPlaceholderData) return;
    const { traceId, id: queueItemId, definitionId } = item;
    change.mutate(
      { traceId, queueItemId, definitionId, source: "REVIEW_QUEUE", verdict, critique, score },
      { onSuccess: leave },
    );
  };
  usePageKeys([
    ["p", () => keys.current?.pass()],
    ["f", () => keys.current?.fail()],
    ["a", () => keys.current?.add()],
  ]);
  return (
    <Page
      title={queue?.topicTitle ?? "Review queue"}
      parent={parent}
      description={
        queue === undefined
          ? "…"
          : `${count(queue.completedCount)} of ${count(queue.completedCount + queue.pendingCount)} reviewed by ${queue.assigneeName}`
      }
      requests={[request]}
      actions={
        <Group gap="md">
          <Places at={at} total={total} onShow={show} />
          {queue !== undefined && <QueueActions queue={queue} />}
        </Group>
      }
    >
      <Stack gap="md">
        <Group justify="space-between">
          <SingleFilter
            label="State"
            options={choices(completions)}
            value={search.completion ?? "PENDING"}
            onChange={(completion) => void navigate({ search: { completion } })}
          />
          <Text size="xs" c="dimmed">
            <Kbd>j</Kbd> next, <Kbd>k</Kbd> previous, <Kbd>p</Kbd> pass, <Kbd>f</Kbd> fail
          </Text>
        </Group>
        {error !== null && data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : item === undefined ? (
          data === undefined ? (
            <div role="status" aria-busy aria-label="Loading" />
          ) : (
            <EmptyState
              title="All done"
              action={<ButtonLink to="/definitions">Add traces from an evaluator</ButtonLink>}
            >
              No traces in this state.
            </EmptyState>
          )
        ) : (
          <>
            <Text size="sm" aria-live="polite">
              {`${count((data?.pagination?.skip ?? at) + 1)} of ${count(total)}`}
            </Text>
            {item.criterion !== null && <CriterionPanel criterion={item.criterion} />}
            <TraceConversation key={item.traceId} traceId={item.traceId} />
            {isPending ? (
              <PendingReview
                key={item.id}
                keys={keys}
                item={item}
                onJudge={judge}
                onDone={leave}
                isBlocked={isPlaceholderData}
                isSaving={change.isPending}
                error={change.error}
              />
            ) : (
              item.completedAt !== null && <Judged item={item} />
            )}
          </>
        )}
      </Stack>
    </Page>
  );
}
