// Defines table columns and selects the visible ones.

import type { ReactNode } from "react";

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** True to right-align the cells, which are numbers. The unit is in the cell or in the label. */
  readonly isNumber?: boolean;
  /** Sort key in the API. Undefined if the column cannot be sorted. */
  readonly orderBy?: string;
  /** True if the column is hidden unless the viewer chooses it. */
  readonly isOptional?: boolean;
  /** True if the column is always visible, such as the title. */
  readonly isFixed?: boolean;
  /** Minimum width in pixels. */
  readonly width?: number;
}

type Choice = Pick<Column<never>, "id" | "isOptional" | "isFixed">;

/** Returns the visible columns: those chosen in the URL, else the table's default columns. */
export function chooseColumns<Each extends Choice>(
  columns: readonly Each[],
  chosen: readonly string[] | undefined,
): Each[] {
  return columns.filter(({ id, isFixed, isOptional }) => isFixed || (chosen?.includes(id) ?? !isOptional));
}

/** Returns the chosen columns after showing or hiding one; undefined if they are the default. */
export function toggledColumn(
  columns: readonly Choice[],
  chosen: readonly string[] | undefined,
  id: string,
): string[] | undefined {
  const before = new Set(chooseColumns(columns, chosen).map((column) => column.id));
  const after = columns.filter((column) => (column.id === id ? !before.has(id) : before.has(column.id)));
  const isOwn = columns.every((column) => column.isFixed || after.includes(column) === !column.isOptional);
  return isOwn ? undefined : after.map((column) => column.id);
}
