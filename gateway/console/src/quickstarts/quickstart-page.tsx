import { Group, Progress, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { read } from "../api/query.ts";
import { countContradictions } from "../contradictions/contradiction-requests.ts";
import { useUsers } from "../settings/user-choices.ts";
import { useTopicTitles } from "../topics/topic-names.ts";
import { ActionButton } from "../ui/action.tsx";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { Detail } from "../ui/detail.tsx";
import { choices } from "../ui/filters/choice-filter.tsx";
import { Filters } from "../ui/filters/filters.tsx";
import { count, missing, words } from "../ui/format.ts";
import { ButtonLink, RowLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { clearFilters } from "../url/list-url.ts";
import { AssignForm, ReassignForm } from "./assign-form.tsx";
import {
  type Assignment,
  assignmentUrl,
  createAssignments,
  getQuickstart,
  listAssignments,
  type Quickstart,
  stages,
} from "./quickstart-requests.ts";

const route = getRouteApi("/signed-in/quickstarts/$quickstartId");
const parent = { to: "/quickstarts", label: "Quickstarts" } as const;

export default function QuickstartPage() {
  const { quickstartId } = route.useParams();
  return (
    <Detail request={getQuickstart(quickstartId)} title="Quickstart" parent={parent}>
      {({ data }) => <QuickstartDetail quickstart={data} />}
    </Detail>
  );
}

function Topic({ id }: { readonly id: string }) {
  const titles = useTopicTitles([id]);
  return (
    <RowLink to="/topics/$topicId" params={{ topicId: id }}>
      {titles.get(id) ?? "…"}
    </RowLink>
  );
}

const columns: readonly Column<Assignment>[] = [
  { id: "topic", label: "Topic", isFixed: true, width: 220, cell: ({ topicId }) => <Topic id={topicId} /> },
  { id: "stage", label: "Stage", orderBy: "stage", cell: ({ stage }) => words(stage) },
  {
    id: "person",
    label: "Person",
    width: 160,
    cell: ({ assignedTo, assignedUser }) => assignedUser?.name ?? assignedTo ?? missing,
  },
  timeColumn("createdAt", "Assigned"),
  idColumn,
];

function QuickstartDetail({ quickstart }: { readonly quickstart: Quickstart }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isAssigning, assign] = useDisclosure();
  const [isMoving, move] = useDisclosure();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const onSearch = (change: object) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const reset = clearFilters(assignmentUrl, search);
  const request = listAssignments(quickstart.id, search);
  const assignTopics = (
    <ActionButton
      operation="POST /v0/quickstarts/{id}/assignments/bulk"
      leftSection={<UserPlus size={14} />}
      onClick={assign.open}
    >
      Assign topics
    </ActionButton>
  );
  const example = { topicId: "TOPIC_ID", stage: "KB_REVIEW", assignedTo: "USER_ID" } as const;
  return (
    <Page
      title={quickstart.title}
      parent={parent}
      description={quickstart.description}
      requests={[getQuickstart(quickstart.id), request]}
      actions={assignTopics}
    >
      <Stack gap="xl">
        <Contradictions quickstartId={quickstart.id} />
        <Section title="Assignments">
          <ListView
            label="Assignments"
            request={request}
            columns={columns}
            search={search}
            onSearch={onSearch}
            selection={{ ids: selected, onChange: setSelected, getName: ({ id }) => `assignment ${id}` }}
            bar={
              <BulkBar count={selected.size} noun="assignment">
                <ActionButton
                  operation="PUT /v0/quickstarts/{id}/assignments/bulk"
                  variant="default"
                  size="compact-xs"
                  onClick={move.open}
                >
                  Reassign
                </ActionButton>
              </BulkBar>
            }
            onReset={reset && (() => onSearch(reset))}
            filters={
              <Filters
                filters={[
                  { some: "stage", label: "Stage", options: choices(stages) },
                  { one: "assignedTo", label: "Person", options: useUsers },
                ]}
                search={search}
                onChange={(change) => onSearch({ ...change, skip: undefined })}
              />
            }
            empty={
              <EmptyState
                title="No assignments yet"
                action={assignTopics}
                request={createAssignments({ id: quickstart.id, assignments: [example] })}
              >
                Assign topics to reviewers. They are notified by email.
              </EmptyState>
            }
          />
        </Section>
      </Stack>
      {isAssigning && <AssignForm quickstartId={quickstart.id} onClose={assign.close} />}
      {isMoving && (
        <ReassignForm
          quickstartId={quickstart.id}
          ids={[...selected]}
          onClose={move.close}
          onDone={() => setSelected(new Set())}
        />
      )}
    </Page>
  );
}

/** Shows how many of the quickstart's contradictions are resolved. */
function Contradictions({ quickstartId }: { readonly quickstartId: string }) {
  const all = useQuery(read(countContradictions(quickstartId))).data?.pagination?.total;
  const resolved = useQuery(read(countContradictions(quickstartId, true))).data?.pagination?.total;
  const rate = all === undefined || resolved === undefined || all === 0 ? 0 : (100 * resolved) / all;
  return (
    <Section title="Contradictions" description="Passages of two documents that cannot both be true">
      <Group justify="space-between">
        <Text size="sm">{`${count(resolved)} of ${count(all)} resolved`}</Text>
        {all !== undefined && all > 0 && (
          <ButtonLink
            to="/quickstarts/$quickstartId/contradictions"
            params={{ quickstartId }}
            search={{ resolved: false }}
            variant="default"
          >
            Review contradictions
          </ButtonLink>
        )}
      </Group>
      <Progress value={rate} aria-label="Contradictions resolved" mt={6} />
    </Section>
  );
}
