// What a table knows of its columns.

import type { ReactNode } from "react";

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned; the unit is in the cell or the label. */
  readonly isNumber?: boolean;
  /** The API's sort key. */
  readonly orderBy?: string;
  /** Shown only when the viewer chooses so. */
  readonly isOptional?: boolean;
  /** Always shown, such as the title. */
  readonly isFixed?: boolean;
  /** Minimum in pixels. */
  readonly width?: number;
}

type Choice = Pick<Column<never>, "id" | "isOptional" | "isFixed">;

/** The columns to show: those that the URL names, else the table's own choice. */
export function shownColumns<Each extends Choice>(
  columns: readonly Each[],
  chosen: readonly string[] | undefined,
): Each[] {
  return columns.filter(({ id, isFixed, isOptional }) => isFixed || (chosen?.includes(id) ?? !isOptional));
}

/** The choice after a column was switched; undefined where it is the table's own. */
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
