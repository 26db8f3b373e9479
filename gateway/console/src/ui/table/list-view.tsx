// Shows a list from one API request: filters, table and pager, with loading, empty and error states.

import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { readList } from "../../api/query.ts";
import type { ApiRequest } from "../../api/request.ts";
import type { ListSearch, StoreSearch } from "../../url/list-search.ts";
import { CopyTableButton } from "../copy-table-button.tsx";
import { FilterBar } from "../filters/filter-bar.tsx";
import { EmptyState, ErrorState } from "../states.tsx";
import { ArchiveLine } from "./archive-line.tsx";
import { ColumnChooser } from "./column-chooser.tsx";
import type { Column } from "./columns.ts";
import { DataTable, type RowDetails, type Selection } from "./data-table.tsx";
import { Pager } from "./pager.tsx";

export interface ListResponse<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number; readonly archivedBefore?: string } | null;
}

interface ListViewProps<Row extends { readonly id: string }> {
  readonly label: string;
  readonly request: ApiRequest<ListResponse<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly search: ListSearch & StoreSearch;
  readonly onSearch: (change: Partial<ListSearch>) => void;
  readonly filters?: ReactNode;
  /** Resets all filters. Undefined if no filter is set. */
  readonly onReset?: (() => void) | undefined;
  /** Content to show if the list has no rows. */
  readonly empty: ReactNode;
  readonly selection?: Selection<Row>;
  readonly details?: RowDetails<Row>;
  /** Content between filters and table, such as actions on the selection. */
  readonly bar?: ReactNode;
  /** Polling interval in milliseconds. */
  readonly refreshMs?: number;
}

export function ListView<Row extends { readonly id: string }>(props: ListViewProps<Row>) {
  const { label, request, columns, search, onSearch, filters, onReset, empty, selection, details, bar, refreshMs } =
    props;
  const query = useQuery({ ...readList(request), refetchInterval: refreshMs ?? false });
  const { data, error, isPlaceholderData, refetch } = query;
  const total = data?.pagination?.total ?? 0;
  const isEmpty = data?.data.length === 0;
  const list = useRef<HTMLDivElement>(null);
  const chooser = (
    <Group gap={6} wrap="nowrap">
      <ColumnChooser columns={columns} chosen={search.columns} onChange={(chosen) => onSearch({ columns: chosen })} />
      <CopyTableButton within={list} />
    </Group>
  );
  const archive = <ArchiveLine store={search.store} archivedBefore={data?.pagination?.archivedBefore} />;
  if (isEmpty && onReset === undefined && search.skip === undefined && search.store === undefined) {
    return (
      <Stack gap="sm">
        {archive}
        {empty}
      </Stack>
    );
  }
  return (
    <Stack gap="sm" ref={list}>
      <FilterBar onReset={onReset} end={chooser}>
        {filters}
      </FilterBar>
      {archive}
      {bar}
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : isEmpty ? (
        <EmptyState title="Nothing matches">Change the filters or go to an earlier page.</EmptyState>
      ) : (
        <DataTable
          label={label}
          columns={columns}
          rows={data?.data}
          search={search}
          onSearch={onSearch}
          isStale={isPlaceholderData}
          details={details}
          {...(selection !== undefined && { selection })}
        />
      )}
      <Pager search={search} total={total} onChange={onSearch} />
    </Stack>
  );
}
