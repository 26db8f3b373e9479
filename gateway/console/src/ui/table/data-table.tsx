// Table of rows. The URL contains columns, order and page, with the same names as in the API.

import { ActionIcon, Checkbox, Skeleton } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { ListSearch } from "../../url/list-search.ts";
import { type Column, chooseColumns } from "./columns.ts";
import classes from "./data-table.module.css";
import { HeaderCell } from "./header-cell.tsx";

export interface Selection<Row> {
  readonly ids: ReadonlySet<string>;
  onChange(ids: ReadonlySet<string>): void;
  /** Returns the accessible name of a row. */
  getName(row: Row): string;
}

/** Details below an expanded row. */
export interface RowDetails<Row> {
  /** Returns the name of the row, for the accessible name of its details. */
  getName(row: Row): string;
  content(row: Row): ReactNode;
}

interface DataTableProps<Row extends { readonly id: string }> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Rows to display. Undefined while the first page loads. */
  readonly rows: readonly Row[] | undefined;
  readonly search?: ListSearch;
  readonly onSearch?: (change: Partial<ListSearch>) => void;
  readonly selection?: Selection<Row>;
  readonly details?: RowDetails<Row> | undefined;
  /** True while the rows of the previous page are displayed. */
  readonly isStale?: boolean;
  readonly skeletonRows?: number;
}

export function DataTable<Row extends { readonly id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, search = {}, onSearch, selection, details, isStale = false, skeletonRows = 10 } = props;
  const displayed = chooseColumns(columns, search.columns);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={classes.scroller} tabIndex={0} aria-label={label} aria-busy={rows === undefined || isStale}>
      <table className={classes.table} data-stale={isStale || undefined}>
        <thead>
          <tr>
            {details !== undefined && <td className={classes.toggle} />}
            {selection !== undefined && <SelectAll rows={rows ?? []} selection={selection} />}
            {displayed.map((column) => (
              <HeaderCell key={column.id} column={column} search={search} onSort={onSearch} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => index).map((index) => (
                <tr key={index} aria-hidden>
                  {details !== undefined && <td />}
                  {selection !== undefined && <td />}
                  {displayed.map(({ id }) => (
                    <td key={id}>
                      <Skeleton height={14} my={3} width={id === displayed[0]?.id ? "80%" : "50%"} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <DataRow key={row.id} row={row} columns={displayed} selection={selection} details={details} />
              ))}
        </tbody>
      </table>
    </section>
  );
}

interface DataRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly selection: Selection<Row> | undefined;
  readonly details: RowDetails<Row> | undefined;
}

function DataRow<Row extends { readonly id: string }>(props: DataRowProps<Row>): ReactNode {
  const { row, columns, selection, details } = props;
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const isSelected = selection?.ids.has(row.id) ?? false;
  return (
    <>
      <tr data-selected={isSelected || undefined}>
        {details !== undefined && (
          <td className={classes.toggle}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={`Details of ${details.getName(row)}`}
              aria-expanded={isOpen}
              {...(isOpen && { "aria-controls": detailsId })}
              onClick={() => setIsOpen(!isOpen)}
            >
              <ChevronRight size={14} className={classes.chevron} />
            </ActionIcon>
          </td>
        )}
        {selection !== undefined && (
          <td className={classes.check}>
            <Checkbox
              size="xs"
              aria-label={`Select ${selection.getName(row)}`}
              checked={isSelected}
              onChange={() => selection.onChange(toggled(selection.ids, row.id))}
            />
          </td>
        )}
        {columns.map(({ id, cell, isNumber }) => (
          <td key={id} className={isNumber ? classes.number : undefined}>
            {cell(row)}
          </td>
        ))}
      </tr>
      {details !== undefined && isOpen && (
        <tr id={detailsId} className={classes.details}>
          <td colSpan={columns.length + (selection === undefined ? 1 : 2)}>{details.content(row)}</td>
        </tr>
      )}
    </>
  );
}

interface SelectAllProps {
  readonly rows: readonly { readonly id: string }[];
  readonly selection: Pick<Selection<never>, "ids" | "onChange">;
}

function SelectAll({ rows, selection }: SelectAllProps) {
  const isAll = rows.length > 0 && rows.every(({ id }) => selection.ids.has(id));
  return (
    <th className={classes.check}>
      <Checkbox
        size="xs"
        aria-label="Select all rows"
        checked={isAll}
        indeterminate={!isAll && selection.ids.size > 0}
        // Disable without rows, because a click would select nothing.
        disabled={rows.length === 0}
        onChange={() => selection.onChange(new Set(isAll ? [] : rows.map(({ id }) => id)))}
      />
    </th>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(ids);
  if (!after.delete(id)) after.add(id);
  return after;
}
