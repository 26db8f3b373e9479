import type { FunctionComponent } from "react";
import { count } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { formatStyleGuideName } from "./style-guide-name.ts";
import { createStyleGuide, listStyleGuides, type StyleGuide, styleGuideUrl } from "./style-guide-requests.ts";

const columns: readonly Column<StyleGuide>[] = [
  {
    id: "name",
    label: "Sections",
    isFixed: true,
    width: 260,
    cell: (guide) => (
      <RowLink to="/style-guides/$styleGuideId" params={{ styleGuideId: guide.id }}>
        {formatStyleGuideName(guide)}
      </RowLink>
    ),
  },
  { id: "count", label: "Number", isNumber: true, cell: ({ content }) => count(content.length) },
  {
    id: "approved",
    label: "Approved",
    isNumber: true,
    cell: ({ content }) => count(content.filter(({ approved }) => approved).length),
  },
  timeColumn("modifiedAt", "Changed"),
  timeColumn("createdAt", "Created"),
  idColumn,
];

const StyleGuideListPage: FunctionComponent = listPage({
  title: "Style guides",
  description: "Writing rules that evaluators of the type Style grade answers by",
  url: styleGuideUrl,
  list: listStyleGuides,
  columns,
  action: { operation: "POST /v0/style-guides", label: "New style guide", to: "/style-guides/new" },
  empty: {
    title: "No style guides yet",
    text: "A style guide has sections in Markdown. An evaluator of the type Style grades answers by each section.",
    request: createStyleGuide({ content: [{ heading: "Tone", content: "Friendly, without jargon." }] }),
  },
});
export default StyleGuideListPage;
