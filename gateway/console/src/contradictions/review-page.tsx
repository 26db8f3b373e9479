// Page to review contradictions one at a time, with buttons or keys.

import { Group, Kbd, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Check, Undo2 } from "lucide-react";
import { messageOfError } from "../api/errors.ts";
import { read, readList, useChange } from "../api/query.ts";
import { getDocument } from "../documents/document-requests.ts";
import { getQuickstart } from "../quickstarts/quickstart-requests.ts";
import { ActionButton } from "../ui/action.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { count } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Places } from "../ui/places.tsx";
import { Section } from "../ui/section.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { usePageKeys } from "../ui/use-page-keys.ts";
import {
  type Contradiction,
  contradictionAt,
  countContradictions,
  refreshedByContradictions,
  updateContradiction,
} from "./contradiction-requests.ts";
import classes from "./contradictions.module.css";

const route = getRouteApi("/signed-in/quickstarts/$quickstartId/contradictions");
const parent = { to: "/quickstarts", label: "Quickstarts" } as const;
const deciding = "PUT /v0/quickstarts/{id}/contradictions/{contradictionId}";
const states = [
  { value: "false", label: "Open" },
  { value: "true", label: "Resolved" },
] as const;

export default function ReviewPage() {
  const { quickstartId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const request = contradictionAt(quickstartId, search);
  const { data, error, refetch, isPlaceholderData } = useQuery(readList(request));
  const title = useQuery(read(getQuickstart(quickstartId))).data?.data.title;
  const all = useQuery(read(countContradictions(quickstartId))).data?.pagination?.total;
  const resolved = useQuery(read(countContradictions(quickstartId, true))).data?.pagination?.total;
  const change = useChange(updateContradiction, { refreshes: refreshedByContradictions });
  const [contradiction] = data?.data ?? [];
  const total = data?.pagination?.total ?? 0;
  const at = search.skip ?? 0;
  const show = (skip: number) =>
    void navigate({ search: (before) => ({ ...before, skip: skip === 0 ? undefined : skip }) });
  const toggle = () => {
    // Ignore input while the next item loads, because the page still shows the previous item.
    if (contradiction === undefined || change.isPending || isPlaceholderData) return;
    // A changed item leaves a filtered list. If it was the last, go back by one.
    if (search.resolved !== undefined && at > 0 && at + 1 >= total) show(at - 1);
    change.mutate({ id: quickstartId, contradictionId: contradiction.id, resolved: !contradiction.resolved });
  };
  usePageKeys([["r", toggle]], deciding);
  return (
    <Page
      title="Contradictions"
      parent={parent}
      description={`${title ?? "…"}: ${count(resolved)} of ${count(all)} resolved`}
      requests={[request]}
      actions={<Places at={at} total={total} onShow={show} />}
    >
      <Stack gap="md">
        <Group justify="space-between">
          <SingleFilter
            label="State"
            options={states}
            value={search.resolved === undefined ? undefined : search.resolved ? "true" : "false"}
            onChange={(value) =>
              void navigate({ search: { resolved: value === undefined ? undefined : value === "true" } })
            }
          />
          <Text size="xs" c="dimmed">
            <Kbd>j</Kbd> next, <Kbd>k</Kbd> previous, <Kbd>r</Kbd> resolve
          </Text>
        </Group>
        {change.error !== null && (
          <Text size="sm" c="var(--ems-bad)" role="alert">
            {messageOfError(change.error)}
          </Text>
        )}
        {error !== null && data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : contradiction === undefined ? (
          data === undefined ? (
            <div role="status" aria-busy aria-label="Loading" />
          ) : (
            <EmptyState title="All done">No contradictions in this state.</EmptyState>
          )
        ) : (
          <>
            <Text size="sm" aria-live="polite">
              {`${count((data?.pagination?.skip ?? at) + 1)} of ${count(total)}${contradiction.resolved ? ", resolved" : ""}`}
            </Text>
            <Passages contradiction={contradiction} />
            <Group>
              <ActionButton
                operation={deciding}
                leftSection={contradiction.resolved ? <Undo2 size={14} /> : <Check size={14} />}
                loading={change.isPending}
                onClick={toggle}
              >
                {contradiction.resolved ? "Reopen" : "Resolved"}
              </ActionButton>
            </Group>
          </>
        )}
      </Stack>
    </Page>
  );
}

function Passages({ contradiction }: { readonly contradiction: Contradiction }) {
  const { passageA, passageB, documentAId, documentBId, reason, assignedUser } = contradiction;
  return (
    <Stack gap="md">
      <div className={classes.passages}>
        <Passage documentId={documentAId} text={passageA} side="first" />
        <Passage documentId={documentBId} text={passageB} side="second" />
      </div>
      <Section title="Explanation">
        <Text size="sm">{reason}</Text>
      </Section>
      {assignedUser !== null && <Text size="sm" c="dimmed">{`Assigned to ${assignedUser.name}`}</Text>}
    </Stack>
  );
}

interface PassageProps {
  readonly documentId: string;
  readonly text: string;
  readonly side: "first" | "second";
}

function Passage({ documentId, text, side }: PassageProps) {
  const { data } = useQuery(read(getDocument(documentId)));
  return (
    <div>
      <Text size="sm" mb={4}>
        <AnchorLink to="/documents/$documentId" params={{ documentId }} inherit>
          {data?.document.title ?? `The ${side} document`}
        </AnchorLink>
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section className={classes.passage} tabIndex={0} aria-label={`Passage of the ${side} document`}>
        {text}
      </section>
    </div>
  );
}
