// Who changed what in the application, and when.

import { getRouteApi } from "@tanstack/react-router";
import { send } from "../api/send.ts";
import { useKeyChoices } from "../settings/key-choices.ts";
import { useUserChoices } from "../settings/user-choices.ts";
import { createTopic } from "../topics/topic-requests.ts";
import { ExportButton } from "../ui/csv/export-button.tsx";
import { type Choice, ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { DayFilter } from "../ui/filters/day-filter.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { auditColumns } from "./audit-columns.tsx";
import { auditCsv } from "./audit-csv.ts";
import { auditDetails } from "./audit-details.tsx";
import { exportedAuditLog, listAuditLog } from "./audit-requests.ts";
import { type AuditSearch, actions, noAuditFilter } from "./audit-search.ts";
import { resources } from "./resources.ts";

const route = getRouteApi("/signed-in/settings/audit-log");

export default function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [users, keys] = [useUserChoices(), useKeyChoices()];
  const onSearch = (change: Partial<AuditSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<AuditSearch>) => onSearch({ ...change, skip: undefined });
  const isFiltered = Object.keys(noAuditFilter).some((name) => search[name as keyof AuditSearch] !== undefined);
  const request = listAuditLog(search);
  const exported = async (skip: number) => {
    const { data, pagination } = await send(exportedAuditLog(search, skip));
    const csvOf = (entries: typeof data) => auditCsv(entries, nameIn(users), nameIn(keys));
    return { rows: data, total: pagination.total, csvOf };
  };
  return (
    <Page
      title="Audit log"
      description="Who changed what in this application, and when"
      requests={[request]}
      actions={
        <ExportButton fileName="audit-log.csv" readPage={exported} instead="`ems audit export` has no such limit." />
      }
    >
      <ListView
        label="Audit log"
        request={request}
        columns={auditColumns(nameIn(keys))}
        details={auditDetails}
        search={search}
        onSearch={(change) => onSearch(change as Partial<AuditSearch>)}
        onReset={isFiltered ? () => filter(noAuditFilter) : undefined}
        filters={
          <>
            <SearchBox label="Resource id" value={search.entityId} onChange={(value) => filter({ entityId: value })} />
            <SearchBox label="Request id" value={search.requestId} onChange={(value) => filter({ requestId: value })} />
            <DayFilter value={search} onChange={filter} />
            <ChoiceFilter
              label="Resource"
              options={choices(resources)}
              value={search.resource}
              onChange={(value) => filter({ resource: value })}
            />
            <ChoiceFilter
              label="Action"
              options={choices(actions)}
              value={search.action}
              onChange={(value) => filter({ action: value })}
            />
            <SingleFilter
              label="Person"
              options={withChosen(users, search.userId)}
              value={search.userId}
              onChange={(value) => filter({ userId: value })}
            />
            <SingleFilter
              label="Key"
              options={withChosen(keys, search.keyId)}
              value={search.keyId}
              onChange={(value) => filter({ keyId: value })}
            />
          </>
        }
        empty={
          <EmptyState title="Nothing has been changed yet" request={createTopic({ title: "Opening an account" })}>
            Whatever a person or a key creates, changes or deletes is listed here, with the values before and after.
          </EmptyState>
        }
      />
    </Page>
  );
}

const nameIn = (named: readonly Choice<string>[]) => (id: string) => named.find(({ value }) => value === id)?.label;

/** Somebody may be filtered by who is no longer there. */
const withChosen = (named: readonly Choice<string>[], chosen: string | undefined): readonly Choice<string>[] =>
  chosen === undefined || nameIn(named)(chosen) !== undefined ? named : [...named, { value: chosen, label: chosen }];
