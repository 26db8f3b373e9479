import { Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTagChoices } from "../tags/tag-requests.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { ActionButton } from "../ui/action.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { DayFilter } from "../ui/filters/day-filter.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { DocumentBulkBar } from "./document-bulk-bar.tsx";
import { documentColumns } from "./document-columns.tsx";
import { DocumentForm } from "./document-form.tsx";
import { createDocument, listDocuments } from "./document-requests.ts";
import { type DocumentSearch, defaults, documentStatuses, documentTypes, libraryStatuses } from "./document-search.ts";

const route = getRouteApi("/signed-in/documents");
const noFilter = {
  search: undefined,
  status: undefined,
  type: undefined,
  documentStatus: undefined,
  topicId: undefined,
  tagId: undefined,
  from: undefined,
  to: undefined,
};

export default function DocumentListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [topics, tags] = [useTopicChoices(), useTagChoices()];
  const onSearch = (change: Partial<DocumentSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<DocumentSearch>) => onSearch({ ...change, skip: undefined });
  const isFiltered = Object.keys(noFilter).some((name) => search[name as keyof typeof noFilter] !== undefined);
  const request = listDocuments(search);
  const newDocument = (
    <ActionButton operation="POST /v0/documents" leftSection={<Plus size={14} />} onClick={create.open}>
      New document
    </ActionButton>
  );
  return (
    <Page
      title="Documents"
      description="What the application knows, and the policies that it follows"
      requests={[request]}
      actions={newDocument}
    >
      <ListView
        label="Documents"
        request={request}
        columns={documentColumns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<DocumentSearch>)}
        selection={{ ids: selected, onChange: setSelected, nameOf: (id) => `document ${id}` }}
        bar={<DocumentBulkBar ids={[...selected]} onDone={(failed) => setSelected(new Set(failed))} />}
        onReset={isFiltered ? () => filter(noFilter) : undefined}
        filters={
          <>
            <SearchBox label="Search documents" value={search.search} onChange={(value) => filter({ search: value })} />
            <ChoiceFilter
              label="Status"
              options={choices(documentStatuses)}
              value={search.status}
              onChange={(value) => filter({ status: value })}
            />
            <SingleFilter
              label="Type"
              options={choices(documentTypes)}
              value={search.type ?? defaults.type}
              onChange={(value) => filter({ type: value })}
            />
            <SingleFilter
              label="Library"
              options={choices(libraryStatuses)}
              value={search.documentStatus ?? defaults.documentStatus}
              onChange={(value) => filter({ documentStatus: value })}
            />
            <SingleFilter
              label="Topic"
              options={topics}
              value={search.topicId}
              onChange={(value) => filter({ topicId: value })}
            />
            <ChoiceFilter
              label="Tag"
              options={tags}
              value={search.tagId}
              onChange={(value) => filter({ tagId: value })}
            />
            <DayFilter value={search} onChange={filter} />
          </>
        }
        empty={
          <EmptyState
            title="No documents in the library yet"
            action={
              <Group gap="sm" justify="center">
                {newDocument}
                <ButtonLink variant="default" to="/documents" search={{ type: "POLICY" }}>
                  Policies
                </ButtonLink>
                <ButtonLink variant="default" to="/documents" search={{ documentStatus: "DRAFT" }}>
                  Drafts
                </ButtonLink>
              </Group>
            }
            request={createDocument({ title: "Opening an account", content: "An account costs nothing." })}
          >
            A document has versions, one of which is active. Reviews find contradictions between documents.
          </EmptyState>
        }
      />
      {isCreating && <DocumentForm onClose={create.close} />}
    </Page>
  );
}
