// Shows evaluations of a trace by other tools, separately from judges and reviews.

import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import type { Trace } from "./trace-requests.ts";

type Evaluation = Trace["externalEvaluations"][number] & { readonly id: string };

const columns: readonly Column<Evaluation>[] = [
  {
    id: "name",
    label: "Evaluation",
    isFixed: true,
    width: 180,
    cell: ({ name }) => (
      <AnchorLink to="/traces" search={{ externalEvaluation: name }} inherit title="All traces with this evaluation">
        {name}
      </AnchorLink>
    ),
  },
  { id: "score", label: "Score", isNumber: true, cell: ({ score }) => score ?? "" },
  { id: "label", label: "Label", width: 120, cell: ({ label }) => label },
  { id: "explanation", label: "Explanation", width: 360, cell: ({ explanation }) => explanation },
  { id: "source", label: "Source", width: 180, cell: ({ source }) => source },
];

export function ExternalEvaluationSection({ evaluations }: { readonly evaluations: Trace["externalEvaluations"] }) {
  const rows = evaluations.map((evaluation, index) => ({ ...evaluation, id: String(index) }));
  return (
    <Section title="External evaluations" description="From other tools; in no pass rate">
      <DataTable label="External evaluations" columns={columns} rows={rows} skeletonRows={2} />
    </Section>
  );
}
