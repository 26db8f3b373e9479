import { getRouteApi } from "@tanstack/react-router";
import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Editing } from "../edits/editing.tsx";
import { useTopicChoices } from "../topics/topic-names.ts";
import { ActionButton, ActionIconButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { missing } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { FactForm } from "./fact-form.tsx";
import { createFact, type Fact, type FactSearch, getFact, listFacts, scopes, statuses } from "./fact-requests.ts";

const route = getRouteApi("/signed-in/facts");

const columns = (onEdit: (fact: Fact) => void): readonly Column<Fact>[] => [
  {
    id: "statement",
    label: "Statement",
    isFixed: true,
    width: 380,
    orderBy: "statement",
    cell: ({ statement }) => statement,
  },
  {
    id: "topics",
    label: "True of",
    width: 180,
    cell: ({ scope, topics }) =>
      scope === "APPLICATION" ? "The application" : topics.map(({ title }) => title).join(", ") || missing,
  },
  { id: "status", label: "Status", width: 90, orderBy: "status", cell: ({ status }) => <Status value={status} /> },
  {
    id: "source",
    label: "Source",
    width: 160,
    cell: ({ sourceQuote, sourceDocumentId: documentId }) =>
      documentId === null ? (
        (sourceQuote ?? missing)
      ) : (
        <AnchorLink to="/documents/$documentId" params={{ documentId }} inherit>
          {sourceQuote ?? "Document"}
        </AnchorLink>
      ),
  },
  { id: "isVerified", label: "Checked", width: 80, cell: ({ isVerified }) => (isVerified ? "Yes" : "No") },
  {
    id: "modifiedAt",
    label: "Changed",
    isOptional: true,
    orderBy: "modifiedAt",
    cell: ({ modifiedAt }) => <Time value={modifiedAt} />,
  },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
  {
    id: "edit",
    label: "Edit",
    width: 60,
    cell: (fact) => (
      <ActionIconButton
        operation="PUT /v0/facts/{id}"
        variant="subtle"
        color="gray"
        aria-label={`Edit ${fact.statement}`}
        onClick={() => onEdit(fact)}
      >
        <Pencil size={14} />
      </ActionIconButton>
    ),
  },
];

export default function FactListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const topics = useTopicChoices();
  const [edited, edit] = useState<Fact | "new">();
  const close = () => edit(undefined);
  const request = listFacts(search);
  const onSearch = (change: Partial<FactSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<FactSearch>) => onSearch({ ...change, skip: undefined });
  const isFiltered = search.scope !== undefined || search.status !== undefined || search.topicId !== undefined;
  const newFact = (
    <ActionButton operation="POST /v0/facts" leftSection={<Plus size={14} />} onClick={() => edit("new")}>
      New fact
    </ActionButton>
  );
  return (
    <Page
      title="Facts"
      description="What is true: definitions of type FACT judge answers by the active facts of their topic"
      requests={[request]}
      actions={newFact}
    >
      <ListView
        label="Facts"
        request={request}
        columns={columns(edit)}
        search={search}
        onSearch={(change) => onSearch(change as Partial<FactSearch>)}
        onReset={isFiltered ? () => filter({ scope: undefined, status: undefined, topicId: undefined }) : undefined}
        filters={
          <>
            <ChoiceFilter
              label="Topic"
              options={topics}
              value={search.topicId}
              onChange={(topicId) => filter({ topicId })}
            />
            <ChoiceFilter
              label="Scope"
              options={choices(scopes)}
              value={search.scope}
              onChange={(scope) => filter({ scope })}
            />
            <ChoiceFilter
              label="Status"
              options={choices(statuses)}
              value={search.status}
              onChange={(status) => filter({ status })}
            />
          </>
        }
        empty={
          <EmptyState
            title="No facts yet"
            action={newFact}
            request={createFact({ statement: "A transfer in euros costs nothing.", scope: "APPLICATION" })}
          >
            Facts are short statements that every right answer agrees with, of some topics or of the whole application.
          </EmptyState>
        }
      />
      {edited === "new" && <FactForm topics={topics} onClose={close} />}
      {edited !== undefined && edited !== "new" && (
        <Editing request={getFact(edited.id)} title="Edit fact" onClose={close}>
          {(fact) => <FactForm fact={fact} topics={topics} onClose={close} />}
        </Editing>
      )}
    </Page>
  );
}
