import { Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Upload } from "lucide-react";
import type { FunctionComponent } from "react";
import { useTags } from "../tags/tag-requests.ts";
import { useTopics } from "../topics/topic-names.ts";
import { ActionButton } from "../ui/action.tsx";
import { choices } from "../ui/filters/choice-filter.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import { DocumentBulkBar } from "./document-bulk-bar.tsx";
import { documentColumns } from "./document-columns.tsx";
import { DocumentForm } from "./document-form.tsx";
import { createDocument, listDocuments } from "./document-requests.ts";
import { defaults, documentStatuses, documentTypes, documentUrl, libraryStatuses } from "./document-search.ts";
import { UploadForm } from "./upload-form.tsx";

function UploadButton() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <ActionButton
        operation="POST /v0/documents/upload"
        variant="default"
        leftSection={<Upload size={14} />}
        onClick={open}
      >
        Upload
      </ActionButton>
      {isOpen && <UploadForm onClose={close} />}
    </>
  );
}

const DocumentListPage: FunctionComponent = listPage({
  title: "Documents",
  description: "Knowledge and policies of the application",
  url: documentUrl,
  list: listDocuments,
  columns: documentColumns,
  filters: [
    { text: "search", label: "Search documents" },
    { some: "status", label: "Status", options: choices(documentStatuses) },
    { one: "type", label: "Type", options: choices(documentTypes), fallback: defaults.type },
    {
      one: "documentStatus",
      label: "Library",
      options: choices(libraryStatuses),
      fallback: defaults.documentStatus,
    },
    { one: "topicId", label: "Topic", options: useTopics },
    { some: "tagId", label: "Tag", options: useTags },
    "days",
  ],
  actions: (newDocument) => (
    <>
      <UploadButton />
      {newDocument}
    </>
  ),
  action: { operation: "POST /v0/documents", label: "New document", Form: DocumentForm },
  selection: { getName: ({ id }) => `document ${id}`, Bar: DocumentBulkBar },
  empty: {
    title: "No documents yet",
    text: "Documents have versions; one is active. Contradictions between documents go to review.",
    request: createDocument({ title: "Opening an account", content: "An account costs nothing." }),
    action: (newDocument) => (
      <Group gap="sm" justify="center">
        {newDocument}
        <ButtonLink variant="default" to="/documents" search={{ type: "POLICY" }}>
          Policies
        </ButtonLink>
        <ButtonLink variant="default" to="/documents" search={{ documentStatus: "DRAFT" }}>
          Drafts
        </ButtonLink>
      </Group>
    ),
  },
});
export default DocumentListPage;
