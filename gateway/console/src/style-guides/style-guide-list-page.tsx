import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { count } from "../ui/format.ts";
import { ActionLink, AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { nameOfStyleGuide } from "./style-guide-name.ts";
import { createStyleGuide, listStyleGuides, type StyleGuide, type StyleGuideSearch } from "./style-guide-requests.ts";

const route = getRouteApi("/signed-in/style-guides");

const columns: readonly Column<StyleGuide>[] = [
  {
    id: "name",
    label: "Sections",
    isFixed: true,
    width: 260,
    cell: (guide) => (
      <AnchorLink to="/style-guides/$styleGuideId" params={{ styleGuideId: guide.id }} inherit fw={500}>
        {nameOfStyleGuide(guide)}
      </AnchorLink>
    ),
  },
  { id: "count", label: "Number", isNumber: true, cell: ({ content }) => count(content.length) },
  {
    id: "approved",
    label: "Approved",
    isNumber: true,
    cell: ({ content }) => count(content.filter(({ approved }) => approved).length),
  },
  { id: "modifiedAt", label: "Changed", orderBy: "modifiedAt", cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
  { id: "createdAt", label: "Created", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

export default function StyleGuideListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const request = listStyleGuides(search);
  const newGuide = (
    <ActionLink operation="POST /v0/style-guides" to="/style-guides/new" leftSection={<Plus size={14} />}>
      New style guide
    </ActionLink>
  );
  return (
    <Page
      title="Style guides"
      description="How answers should be written; definitions of the type Style judge by them"
      requests={[request]}
      actions={newGuide}
    >
      <ListView
        label="Style guides"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) =>
          void navigate({ search: (before) => ({ ...before, ...(change as Partial<StyleGuideSearch>) }) })
        }
        empty={
          <EmptyState
            title="No style guides yet"
            action={newGuide}
            request={createStyleGuide({ content: [{ heading: "Tone", content: "Friendly, without jargon." }] })}
          >
            A style guide has sections in Markdown. A definition of the type Style grades answers by each of them.
          </EmptyState>
        }
      />
    </Page>
  );
}
