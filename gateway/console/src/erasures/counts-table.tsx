import { count } from "../ui/format.ts";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { kinds } from "./counts.ts";
import type { ErasureCounts } from "./erasure-requests.ts";

interface CountsTableProps {
  /** Heading of the counts: found or erased. */
  readonly label: string;
  readonly counts: ErasureCounts;
  /** Kinds of data that were not counted. */
  readonly without?: readonly string[];
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly number: number;
}

export function CountsTable({ label, counts, without = [] }: CountsTableProps) {
  const rows = kinds
    .filter(([kind]) => !without.includes(kind))
    .map(([kind, name]): Row => ({ id: kind, name, number: counts[kind] }));
  const columns: readonly Column<Row>[] = [
    { id: "kind", label: "Kind", isFixed: true, width: 200, cell: ({ name }) => name },
    { id: "number", label, isNumber: true, width: 100, cell: ({ number }) => count(number) },
  ];
  return <DataTable label={label} columns={columns} rows={rows} />;
}
