import { UnstyledButton } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ListSearch } from "../../url/list-search.ts";
import type { Column } from "./columns.ts";
import classes from "./data-table.module.css";

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly search: ListSearch;
  /** Called with the new order. Undefined if the list cannot be sorted. */
  readonly onSort: ((change: Pick<ListSearch, "orderBy" | "orderDir" | "skip">) => void) | undefined;
}

/** Header of a column. Clicks switch from descending to ascending to default order. */
export function HeaderCell<Row>({ column, search, onSort }: HeaderCellProps<Row>) {
  const { label, orderBy, isNumber, width } = column;
  const isSorted = orderBy !== undefined && search.orderBy === orderBy;
  const direction = isSorted ? (search.orderDir ?? "desc") : undefined;
  const style = { ...(width !== undefined && { minWidth: width }) };
  const className = isNumber ? classes.number : undefined;
  if (orderBy === undefined || onSort === undefined) {
    return (
      <th className={className} style={style}>
        {label}
      </th>
    );
  }
  const next = direction === undefined ? "desc" : direction === "desc" ? "asc" : undefined;
  const sort = () =>
    onSort({ orderBy: next && orderBy, orderDir: next === "asc" ? "asc" : undefined, skip: undefined });
  const Arrow = direction === "asc" ? ArrowUp : ArrowDown;
  const ariaSort = direction === "asc" ? "ascending" : direction === "desc" ? "descending" : "none";
  return (
    <th className={className} style={style} aria-sort={ariaSort}>
      <UnstyledButton className={classes.sort} onClick={sort}>
        {label}
        <Arrow size={12} aria-hidden className={direction === undefined ? classes.hidden : undefined} />
      </UnstyledButton>
    </th>
  );
}
