// Shows items that need attention: open reviews and failed deliveries.

import { useQuery } from "@tanstack/react-query";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { read } from "../api/query.ts";
import { countContradictions } from "../contradictions/contradiction-requests.ts";
import { count } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import {
  documentsInReview,
  failedDeliveries,
  lastWeek,
  newestQuickstart,
  openIssues,
  type Range,
  tracesToJudge,
} from "./overview-requests.ts";

interface Item {
  readonly id: string;
  readonly what: ReactNode;
  readonly to: Pick<LinkProps, "to" | "params" | "search">;
  /** Number of items. Undefined while loading or after an error. */
  readonly number: number | undefined;
}

const columns: readonly Column<Item>[] = [
  {
    id: "what",
    label: "Item",
    isFixed: true,
    width: 240,
    cell: ({ what, to }) => (
      <AnchorLink {...to} inherit fw={500}>
        {what}
      </AnchorLink>
    ),
  },
  { id: "number", label: "Count", isNumber: true, cell: ({ number }) => count(number) },
];

export function Waiting({ range }: { readonly range: Range }) {
  const { from, to } = lastWeek(range);
  const quickstart = useQuery(read(newestQuickstart)).data?.data[0];
  const open = useQuery({
    ...read(countContradictions(quickstart?.id ?? "", false)),
    enabled: quickstart !== undefined,
  });
  const documents = useQuery(read(documentsInReview)).data?.pagination?.total;
  const failed = useQuery(read(failedDeliveries(range))).data?.pagination?.total;
  const issues = useQuery(read(openIssues)).data?.pagination?.total;
  const traces = useQuery(read(tracesToJudge)).data?.pagination?.total;
  const items: Item[] = [
    { id: "issues", what: "Open issues", to: { to: "/issues", search: { status: ["OPEN"] } }, number: issues },
    { id: "traces", what: "Traces to review", to: { to: "/reviews", search: {} }, number: traces },
    {
      id: "documents",
      what: "Documents in review",
      to: { to: "/documents", search: { status: ["REVIEW"] } },
      number: documents,
    },
    ...(quickstart === undefined
      ? []
      : [
          {
            id: "contradictions",
            what: `Contradictions in ${quickstart.title}`,
            to: {
              to: "/quickstarts/$quickstartId/contradictions",
              params: { quickstartId: quickstart.id },
              search: { resolved: false },
            } as const,
            number: open.data?.pagination?.total,
          },
        ]),
    {
      id: "deliveries",
      what: "Failed deliveries, last 7 days",
      to: { to: "/deliveries", search: { status: ["FAILED"], from, to } },
      number: failed,
    },
  ];
  return (
    <Section title="Needs attention" description="Open reviews and failed deliveries">
      <DataTable label="Needs attention" columns={columns} rows={items} skeletonRows={5} />
    </Section>
  );
}
