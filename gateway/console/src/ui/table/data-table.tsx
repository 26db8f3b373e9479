// A table of rows: columns, order and page are in the URL, as the API has them.

import { ActionIcon, Checkbox, Skeleton, Table } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { ListSearch } from "../../url/list-search.ts";
import { type Column, shownColumns } from "./columns.ts";
import classes from "./data-table.module.css";
import { HeaderCell } from "./header-cell.tsx";

export interface Selection {
  readonly ids: ReadonlySet<string>;
  onChange(ids: ReadonlySet<string>): void;
  /** What a row is called by screen readers. */
  nameOf(id: string): string;
}

/** What a row shows below itself when it is opened. */
export interface RowDetails<Row> {
  /** What the row is called by screen readers. */
  nameOf(row: Row): string;
  content(row: Row): ReactNode;
}

interface DataTableProps<Row extends { readonly id: string }> {
  /** What the table is called by screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while the first page is loading. */
  readonly rows: readonly Row[] | undefined;
  readonly search?: ListSearch;
  readonly onSearch?: (change: Partial<ListSearch>) => void;
  readonly selection?: Selection;
  readonly details?: RowDetails<Row> | undefined;
  /** Whether the rows are those of the page before. */
  readonly isStale?: boolean;
  readonly skeletonRows?: number;
}

export function DataTable<Row extends { readonly id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, search = {}, onSearch, selection, details, isStale = false, skeletonRows = 10 } = props;
  const shown = shownColumns(columns, search.columns);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.scroller} tabIndex={0} aria-label={label} aria-busy={rows === undefined || isStale}>
      <Table className={classes.table} data-stale={isStale || undefined} highlightOnHover verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            {details !== undefined && <Table.Td className={classes.toggle} />}
            {selection !== undefined && <SelectAll rows={rows ?? []} selection={selection} />}
            {shown.map((column) => (
              <HeaderCell key={column.id} column={column} search={search} onSort={onSearch} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => index).map((index) => (
                <Table.Tr key={index} aria-hidden>
                  {details !== undefined && <Table.Td />}
                  {selection !== undefined && <Table.Td />}
                  {shown.map(({ id }) => (
                    <Table.Td key={id}>
                      <Skeleton height={14} my={3} width={id === shown[0]?.id ? "80%" : "50%"} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))
            : rows.map((row) => (
                <DataRow key={row.id} row={row} columns={shown} selection={selection} details={details} />
              ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

interface DataRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly selection: Selection | undefined;
  readonly details: RowDetails<Row> | undefined;
}

function DataRow<Row extends { readonly id: string }>(props: DataRowProps<Row>): ReactNode {
  const { row, columns, selection, details } = props;
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const isSelected = selection?.ids.has(row.id) ?? false;
  return (
    <>
      <Table.Tr {...(isSelected && { bg: "var(--mantine-primary-color-light)" })}>
        {details !== undefined && (
          <Table.Td className={classes.toggle}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Details of ${details.nameOf(row)}`}
              aria-expanded={isOpen}
              {...(isOpen && { "aria-controls": detailsId })}
              onClick={() => setIsOpen(!isOpen)}
            >
              <ChevronRight size={14} className={classes.chevron} />
            </ActionIcon>
          </Table.Td>
        )}
        {selection !== undefined && (
          <Table.Td className={classes.check}>
            <Checkbox
              size="xs"
              aria-label={`Select ${selection.nameOf(row.id)}`}
              checked={isSelected}
              onChange={() => selection.onChange(toggled(selection.ids, row.id))}
            />
          </Table.Td>
        )}
        {columns.map(({ id, cell, isNumber }) => (
          <Table.Td key={id} className={isNumber ? classes.number : undefined}>
            {cell(row)}
          </Table.Td>
        ))}
      </Table.Tr>
      {details !== undefined && isOpen && (
        <Table.Tr id={detailsId} className={classes.details}>
          <Table.Td colSpan={columns.length + (selection === undefined ? 1 : 2)}>{details.content(row)}</Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function SelectAll({ rows, selection }: { rows: readonly { id: string }[]; selection: Selection }) {
  const isAll = rows.length > 0 && rows.every(({ id }) => selection.ids.has(id));
  return (
    <Table.Th className={classes.check}>
      <Checkbox
        size="xs"
        aria-label="Select all rows"
        checked={isAll}
        indeterminate={!isAll && selection.ids.size > 0}
        onChange={() => selection.onChange(new Set(isAll ? [] : rows.map(({ id }) => id)))}
      />
    </Table.Th>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(ids);
  if (!after.delete(id)) after.add(id);
  return after;
}
