import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { read } from "../api/query.ts";
import { listDefinitions } from "../definitions/definition-requests.ts";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count } from "../ui/format.ts";
import { ActionLink, AnchorLink } from "../ui/link.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { timeColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import { formatStyleGuideName } from "./style-guide-name.ts";
import { getStyleGuide, type StyleGuide } from "./style-guide-requests.ts";
import { styleGuidesParent } from "./style-guides-parent.ts";

const route = getRouteApi("/signed-in/style-guides/$styleGuideId");

export default function StyleGuidePage() {
  const { styleGuideId } = route.useParams();
  return (
    <Detail request={getStyleGuide(styleGuideId)} title="Style guide" parent={styleGuidesParent}>
      {({ data }) => <StyleGuideDetail guide={data} />}
    </Detail>
  );
}

function StyleGuideDetail({ guide }: { readonly guide: StyleGuide }) {
  const { id, content, createdAt, modifiedAt } = guide;
  const approved = content.filter((section) => section.approved).length;
  return (
    <Page
      title={formatStyleGuideName(guide)}
      parent={styleGuidesParent}
      requests={[getStyleGuide(id), listUses(id)]}
      actions={
        <ActionLink
          operation="PUT /v0/style-guides/{id}"
          to="/style-guides/$styleGuideId/edit"
          params={{ styleGuideId: id }}
          leftSection={<Pencil size={14} />}
        >
          Edit
        </ActionLink>
      }
    >
      <Stack gap="xl">
        <Facts
          rows={[
            ["Sections", count(content.length)],
            ["Approved", count(approved)],
            ["Created", <Time key="created" value={createdAt} />],
            ["Changed", <Time key="changed" value={modifiedAt} />],
          ]}
        />
        <UsedBy styleGuideId={id} />
        <Section title="Sections">
          {content.length === 0 ? (
            <Text size="sm" c="dimmed">
              No sections yet: this style guide cannot judge answers.
            </Text>
          ) : (
            content.map((section, index) => (
              <Paper key={index} withBorder p="md" component="article">
                <Stack gap="xs">
                  <Group gap="xs">
                    <Title order={3}>{section.heading === "" ? `Section ${index + 1}` : section.heading}</Title>
                    {section.approved && <Status value="APPROVED" />}
                  </Group>
                  <Markdown text={section.content} />
                </Stack>
              </Paper>
            ))
          )}
        </Section>
      </Stack>
    </Page>
  );
}

const listUses = (styleGuideId: string) =>
  listDefinitions({ styleGuideId: [styleGuideId], limit: 25, orderBy: "name", orderDir: "asc" });

interface Use {
  readonly id: string;
  readonly name: string;
  readonly modifiedAt: string;
}

const columns: readonly Column<Use>[] = [
  {
    id: "name",
    label: "Name",
    isFixed: true,
    width: 240,
    cell: ({ id, name }) => (
      <AnchorLink to="/definitions/$definitionId" params={{ definitionId: id }} inherit>
        {name}
      </AnchorLink>
    ),
  },
  timeColumn("modifiedAt", "Changed", { orderBy: undefined }),
];

function UsedBy({ styleGuideId }: { readonly styleGuideId: string }) {
  const { data, error, refetch } = useQuery(read(listUses(styleGuideId)));
  const total = data?.pagination?.total ?? 0;
  return (
    <Section title="Used by" description="Evaluators that judge by this style guide">
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data?.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No evaluator uses it.
        </Text>
      ) : (
        <DataTable label="Evaluators that use the style guide" columns={columns} rows={data?.data} skeletonRows={2} />
      )}
      {total > (data?.data.length ?? 0) && (
        <AnchorLink to="/definitions" search={{ styleGuideId: [styleGuideId] }} size="sm">
          All {count(total)} evaluators
        </AnchorLink>
      )}
    </Section>
  );
}
