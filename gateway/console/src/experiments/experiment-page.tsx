import { Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { read, readAll } from "../api/query.ts";
import { Person } from "../settings/person.tsx";
import { getTask } from "../tasks/task-requests.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, missing, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { statusColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import { ChosenVariant } from "./chosen-variant.tsx";
import { ExperimentForm } from "./experiment-form.tsx";
import { allInferenceSteps, type Experiment, getExperiment } from "./experiment-requests.ts";
import type { VariantSearch } from "./experiment-search.ts";
import { useVariants } from "./use-variants.ts";
import { allVariants } from "./variant-requests.ts";
import { VariantsSection } from "./variants-section.tsx";

const route = getRouteApi("/signed-in/experiments/$experimentId");
const parent = { to: "/experiments", label: "Experiments" } as const;

export default function ExperimentPage() {
  const { experimentId } = route.useParams();
  return (
    <Detail request={getExperiment(experimentId)} title="Experiment" parent={parent}>
      {(_, loaded) => <ExperimentDetail loaded={loaded} />}
    </Detail>
  );
}

function ExperimentDetail({ loaded }: { readonly loaded: Loaded<{ readonly data: Experiment }> }) {
  const experiment = loaded.body.data;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isEditing, edit] = useDisclosure();
  const found = useVariants(experiment.id, search);
  const { baseline, reference, chosen, variants, requests, getComparison } = found;
  const { title, status, description, assignee, createdAt, modifiedAt, inferenceStepIds, taskIds } = experiment;
  const promoted = variants.find(({ id }) => id === experiment.promotedVariantId);
  const onSearch = (change: Partial<VariantSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false });
  return (
    <Page
      title={title}
      parent={parent}
      mark={<Status value={status} />}
      description={description}
      requests={[getExperiment(experiment.id), allVariants(experiment.id), ...requests]}
      actions={
        <ActionButton
          operation="PUT /v0/experiments/{id}"
          variant="default"
          leftSection={<Pencil size={14} />}
          onClick={edit.open}
        >
          Edit
        </ActionButton>
      }
    >
      <Stack gap="xl">
        <Facts
          rows={[
            ["Steps", count(inferenceStepIds.length)],
            ["Tasks", count(taskIds.length)],
            promoted !== undefined && ["Promoted", promoted.title],
            ["Assignee", <Person key="assignee" id={assignee} />],
            ["Created", <Time key="created" value={createdAt} />],
            ["Changed", <Time key="changed" value={modifiedAt} />],
          ]}
        />
        <VariantsSection experiment={experiment} found={found} search={search} onSearch={onSearch} />
        {reference !== undefined && chosen !== undefined && (
          <ChosenVariant
            key={chosen.id}
            reference={reference}
            variant={chosen}
            comparison={getComparison(chosen)}
            search={search}
            onSearch={onSearch}
          />
        )}
        <Steps ids={inferenceStepIds} />
        <Tasks ids={taskIds} />
      </Stack>
      {isEditing && (
        <ExperimentForm
          experiment={loaded}
          hasVariants={variants.length > 0}
          isLocked={baseline !== undefined && baseline.status !== "DRAFT" && baseline.status !== "FAILED"}
          onClose={edit.close}
        />
      )}
    </Page>
  );
}

interface Step {
  readonly id: string;
  readonly title: string;
  readonly type: string | undefined;
  readonly externalId: string | null;
}

const stepColumns: readonly Column<Step>[] = [
  { id: "title", label: "Title", isFixed: true, width: 240, cell: ({ title }) => title },
  { id: "type", label: "Type", cell: ({ type }) => (type === "LLM" ? type : words(type)) },
  { id: "externalId", label: "Id in the application", cell: ({ externalId }) => externalId ?? missing },
];

function Steps({ ids }: { readonly ids: readonly string[] }) {
  const { data, error, refetch } = useQuery(readAll(allInferenceSteps));
  const found = new Map((data ?? []).map((step) => [step.id, step]));
  // Deleted steps appear by id.
  const rows = ids.map((id): Step => found.get(id) ?? { id, title: id, type: undefined, externalId: null });
  return (
    <Section title="Inference steps" description="Configured by the variants">
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : ids.length === 0 ? (
        <Text size="sm" c="dimmed">
          No steps yet
        </Text>
      ) : (
        <DataTable
          label="Inference steps"
          columns={stepColumns}
          rows={data === undefined ? undefined : rows}
          skeletonRows={ids.length}
        />
      )}
    </Section>
  );
}

interface TaskRow {
  readonly id: string;
  readonly title: string;
  readonly status: string | undefined;
}

const taskColumns: readonly Column<TaskRow>[] = [
  {
    id: "title",
    label: "Title",
    isFixed: true,
    width: 240,
    cell: ({ id, title }) => (
      <AnchorLink to="/tasks/$taskId" params={{ taskId: id }} inherit>
        {title}
      </AnchorLink>
    ),
  },
  statusColumn({}),
];

/** Tasks per page. Limited because each row needs a request. */
const displayedMax = 25;

function Tasks({ ids }: { readonly ids: readonly string[] }) {
  const displayed = ids.slice(0, displayedMax);
  const tasks = useQueries({ queries: displayed.map((id) => read(getTask(id))) });
  const isLoading = tasks.some(({ data, error }) => data === undefined && error === null);
  const rows = displayed.map((id, index): TaskRow => {
    const task = tasks[index]?.data?.task;
    return { id, title: task?.title ?? id, status: task?.status };
  });
  return (
    <Section title="Tasks" description="Run by each variant">
      {ids.length === 0 ? (
        <Text size="sm" c="dimmed">
          No tasks yet
        </Text>
      ) : (
        <DataTable
          label="Tasks of the experiment"
          columns={taskColumns}
          rows={isLoading ? undefined : rows}
          skeletonRows={displayed.length}
        />
      )}
      {ids.length > displayedMax && (
        <Text size="xs" c="dimmed">
          The first {displayedMax} of {count(ids.length)} tasks.
        </Text>
      )}
    </Section>
  );
}
