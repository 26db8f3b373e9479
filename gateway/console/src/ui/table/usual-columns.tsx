// Columns that most lists have.

import { Status } from "../badges.tsx";
import { Time } from "../time.tsx";
import type { Column } from "./columns.ts";

type Choices = Pick<Column<never>, "orderBy" | "isOptional" | "width">;
type Row<Name extends string, Value> = { readonly [Each in Name]: Value };

export const idColumn: Column<Row<"id", string>> = {
  id: "id",
  label: "Id",
  isOptional: true,
  cell: ({ id }) => <code>{id}</code>,
};

/** Column with a time. Its sort key is the field's name, unless `choices` overrides that. */
export const timeColumn = <const Name extends string>(
  name: Name,
  label: string,
  choices?: Choices,
): Column<Row<Name, string | null>> => ({
  id: name,
  label,
  orderBy: name,
  cell: (row) => <Time value={row[name]} />,
  ...choices,
});

export const statusColumn = (choices: Choices = { orderBy: "status" }): Column<Row<"status", string | undefined>> => ({
  id: "status",
  label: "Status",
  cell: ({ status }) => <Status value={status} />,
  ...choices,
});
