import { count, score, words } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { Rate } from "../ui/rate.tsx";
import { Section } from "../ui/section.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { wilson } from "../ui/wilson.ts";
import type { Run } from "./run-requests.ts";

type Result = NonNullable<Run["result"]>["evals"][number];

const columns: readonly Column<Result>[] = [
  {
    id: "name",
    label: "Evaluator",
    isFixed: true,
    width: 200,
    cell: ({ id, name }) => (
      <RowLink to="/definitions/$definitionId" params={{ definitionId: id }}>
        {name}
      </RowLink>
    ),
  },
  { id: "type", label: "Type", cell: ({ type }) => words(type) },
  {
    id: "rate",
    label: "Pass rate",
    isNumber: true,
    cell: ({ passed, total, passRate }) => {
      const interval = wilson(passed, total);
      return <Rate rate={passRate} low={interval?.low} high={interval?.high} n={total} />;
    },
  },
  { id: "score", label: "Average score", isNumber: true, cell: ({ averageScore }) => score(averageScore) },
  { id: "failed", label: "Failed", isNumber: true, cell: ({ failed }) => count(failed) },
  { id: "errored", label: "Errored", isNumber: true, cell: ({ errored }) => count(errored) },
  { id: "total", label: "Evaluations", isNumber: true, cell: ({ total }) => count(total) },
];

/** Shows a run's results by definition. */
export function RunDefinitions({ run }: { readonly run: Run }) {
  const rows = run.result?.evals ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title="Results by evaluator">
      <DataTable label="Results by evaluator" columns={columns} rows={rows} />
    </Section>
  );
}
