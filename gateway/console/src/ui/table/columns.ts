// Columns of tables.

import type { ReactNode } from "react";

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned; the unit is in the cell or the label. */
  readonly isNumber?: boolean;
  /** Sort key of the API. */
  readonly orderBy?: string;
  /** Hidden unless the viewer chooses it. */
  readonly isOptional?: boolean;
  /** Always visible, such as the title. */
  readonly isFixed?: boolean;
  /** Minimum width in pixels. */
  readonly width?: number;
}

type Choice = Pick<Column<never>, "id" | "isOptional" | "isFixed">;

/** Returns the visible columns: those in the URL, else the table's default. */
export function shownColumns<Each extends Choice>(
  columns: readonly Each[],
  chosen: readonly string[] | undefined,
): Each[] {
  return columns.filter(({ id, isFixed, isOptional }) => isFixed || (chosen?.includes(id) ?? !isOptional));
}

/** Returns the choice after switching a column; undefined if it is the default. */
export function toggledColumn(
  columns: readonly Choice[],
  chosen: readonly string[] | undefined,
  id: string,
): string[] | undefined {
  const before = new Set(shownColumns(columns, chosen).map((column) => column.id));
  const after = columns.filter((column) => (column.id === id ? !before.has(id) : before.has(column.id)));
  const isOwn = columns.every((column) => column.isFixed || after.includes(column) === !column.isOptional);
  return isOwn ? undefined : after.map((column) => column.id);
}
