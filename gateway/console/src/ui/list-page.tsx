// Builds a list page from a declaration of its title, request, filters and columns.

import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type LinkProps, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type FunctionComponent, type ReactNode, useState } from "react";
import { readList } from "../api/query.ts";
import type { ApiRequest } from "../api/request.ts";
import type { Operations } from "../session/permissions.ts";
import { clearFilters, type ListUrl } from "../url/list-url.ts";
import { ActionButton } from "./action.tsx";
import { type FilterProps, Filters, type ListFilter } from "./filters/filters.tsx";
import { ActionLink } from "./link.tsx";
import { Page } from "./page.tsx";
import { EmptyState } from "./states.tsx";
import type { Column } from "./table/columns.ts";
import type { RowDetails } from "./table/data-table.tsx";
import { type ListResponse, ListView } from "./table/list-view.tsx";

/** Main action of the page, which opens a form or another page. */
type Action = {
  readonly operation: Operations;
  readonly label: string;
  /** Icon of the action. Default: a plus sign. */
  readonly icon?: ReactNode;
  readonly variant?: "default";
} & ({ readonly Form: FunctionComponent<{ readonly onClose: () => void }> } | { readonly to: LinkProps["to"] });

export interface BulkBarProps {
  readonly ids: readonly string[];
  readonly onSelect: (ids: readonly string[]) => void;
}

interface ListPageOptions<Row extends { readonly id: string }, Search> {
  readonly title: string;
  readonly description: ReactNode | ((search: Search) => ReactNode);
  readonly url: ListUrl<Search>;
  readonly list: (search: Search) => ApiRequest<ListResponse<Row>>;
  /** Requests of the page in addition to the list request. */
  readonly requests?: readonly ApiRequest[];
  /** The columns, or a hook that builds them. */
  readonly columns: readonly Column<Row>[] | ((rows: readonly Row[]) => readonly Column<Row>[]);
  readonly filters?: readonly ListFilter<Search>[];
  readonly action?: Action;
  /** Renders the page's actions, if it has more than the main action. */
  readonly actions?: (action: ReactNode, search: Search) => ReactNode;
  readonly details?: RowDetails<Row>;
  readonly selection?: {
    /** Returns the name of a row for screen readers. */
    readonly getName: (row: Row) => string;
    readonly Bar: FunctionComponent<BulkBarProps>;
  };
  /** Component to render between the filters and the table. */
  readonly Bar?: FunctionComponent<FilterProps<Search>>;
  /** Polling of the list while a row on the page is in progress. */
  readonly refresh?: { readonly isGoingOn: (row: Row) => boolean; readonly everyMs: number };
  readonly empty: {
    readonly title: string;
    readonly text: ReactNode;
    readonly request?: ApiRequest;
    /** Renders the action for an empty list. Default: the main action. */
    readonly action?: (action: ReactNode) => ReactNode;
  };
  /** Content to render below the list. */
  readonly children?: ReactNode;
}

export function listPage<Row extends { readonly id: string }, Search extends object>(
  page: ListPageOptions<Row, Search>,
): FunctionComponent {
  const { title, description, url, list, columns, filters = [], selection, Bar, details, refresh, empty } = page;
  const useColumns = typeof columns === "function" ? columns : () => columns;
  return function ListPage() {
    const search = url.parse(useSearch({ strict: false }));
    const navigate = useNavigate();
    const [isOpen, { open, close }] = useDisclosure();
    const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
    const request = list(search);
    const rows = useQuery(readList(request)).data?.data ?? [];
    const onSearch = (change: object) =>
      void navigate({ to: ".", search: (before: object) => ({ ...before, ...change }) });
    const filter = (change: object) => onSearch({ ...change, skip: undefined });
    const reset = clearFilters(url, search);
    const action = page.action && <MainAction action={page.action} onOpen={open} />;
    return (
      <Page
        title={title}
        description={typeof description === "function" ? description(search) : description}
        requests={[request, ...(page.requests ?? [])]}
        actions={page.actions === undefined ? action : page.actions(action, search)}
      >
        <ListView
          label={title}
          request={request}
          columns={useColumns(rows)}
          search={search}
          onSearch={onSearch}
          onReset={reset && (() => onSearch(reset))}
          filters={<Filters filters={filters} search={search} onChange={filter} />}
          {...(details !== undefined && { details })}
          {...(selection !== undefined && {
            selection: { ids: selected, onChange: setSelected, getName: selection.getName },
          })}
          {...(refresh !== undefined && rows.some(refresh.isGoingOn) && { refreshMs: refresh.everyMs })}
          bar={
            <>
              {Bar !== undefined && <Bar search={search} onChange={filter} />}
              {selection !== undefined && (
                <selection.Bar ids={[...selected]} onSelect={(ids) => setSelected(new Set(ids))} />
              )}
            </>
          }
          empty={
            <EmptyState
              title={empty.title}
              action={empty.action === undefined ? action : empty.action(action)}
              {...(empty.request !== undefined && { request: empty.request })}
            >
              {empty.text}
            </EmptyState>
          }
        />
        {page.children}
        {isOpen && page.action !== undefined && "Form" in page.action && <page.action.Form onClose={close} />}
      </Page>
    );
  };
}

function MainAction({ action, onOpen }: { readonly action: Action; readonly onOpen: () => void }) {
  const { operation, label, icon = <Plus size={14} />, variant } = action;
  const props = { operation, leftSection: icon, children: label, ...(variant !== undefined && { variant }) };
  return "to" in action ? <ActionLink {...props} to={action.to} /> : <ActionButton {...props} onClick={onOpen} />;
}
