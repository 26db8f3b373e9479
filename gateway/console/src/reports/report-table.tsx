import { useMemo } from "react";
import { AnchorLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { readReference } from "./query.ts";
import { parseOrder, type ReportSearch } from "./report-search.ts";
import { type ResultColumn, type Row, valueWords } from "./report-words.ts";

interface ReportTableProps {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[] | undefined;
  readonly search: ReportSearch;
  readonly timeZone: string;
  readonly isStale: boolean;
  readonly onOrder: (order: string[] | undefined) => void;
}

interface TableRow {
  readonly id: string;
  readonly row: Row;
}

export function ReportTable({ columns, rows, search, timeZone, isStale, onOrder }: ReportTableProps) {
  const tableColumns = useMemo(() => columns.map((column) => tableColumn(column, timeZone)), [columns, timeZone]);
  const first = parseOrder(search.order?.[0] ?? "");
  return (
    <DataTable
      label="Report"
      columns={tableColumns}
      rows={rows?.map((row, index): TableRow => ({ id: String(index), row }))}
      search={first === undefined ? {} : { orderBy: first.column, orderDir: first.direction }}
      onSearch={({ orderBy, orderDir }) =>
        onOrder(orderBy === undefined ? undefined : [`${orderBy}:${orderDir ?? "desc"}`])
      }
      isStale={isStale}
    />
  );
}

function tableColumn(column: ResultColumn, timeZone: string): Column<TableRow> {
  const { id, name, type } = column;
  return {
    id,
    label: name,
    isNumber: type === "number" || type === "interval",
    ...(type !== "interval" && { orderBy: id }),
    cell: ({ row }) => {
      const text = valueWords(row, column, timeZone);
      const reference = column.column?.isReference === true ? readReference(row, id) : null;
      if (reference !== null && id === "topicId")
        return (
          <AnchorLink inherit to="/topics/$topicId" params={{ topicId: reference.id }}>
            {text}
          </AnchorLink>
        );
      if (reference !== null && id === "taskId")
        return (
          <AnchorLink inherit to="/tasks/$taskId" params={{ taskId: reference.id }}>
            {text}
          </AnchorLink>
        );
      if (reference !== null && id === "definitionId")
        return (
          <AnchorLink inherit to="/definitions/$definitionId" params={{ definitionId: reference.id }}>
            {text}
          </AnchorLink>
        );
      return text;
    },
  };
}
