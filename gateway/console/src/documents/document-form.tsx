// Form to create a document, or a new version of one, from pasted text or a text file.

import { FileInput, Select, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useChange } from "../api/query.ts";
import { useDraft, useIssues } from "../edits/use-draft.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { createDocument, createVersion, type Document, refreshedByDocuments } from "./document-requests.ts";
import { documentTypes } from "./document-search.ts";

interface DocumentFormProps {
  /** Document to add a version to. Undefined creates a document. */
  readonly document?: Document;
  readonly onClose: () => void;
  readonly onVersion?: (versionNumber: number) => void;
}

interface DocumentDraft {
  readonly title: string;
  readonly content: string;
  readonly topicId: string | null;
  readonly type: (typeof documentTypes)[number];
}

const types = documentTypes.map((value) => ({ value, label: words(value) }));

export function DocumentForm({ document, onClose, onVersion }: DocumentFormProps) {
  const navigate = useNavigate();
  const topics = useTopicChoices();
  const { draft, set, setErrors, inputs } = useDraft<DocumentDraft>(() => ({
    title: document?.title ?? "",
    content: document?.content ?? "",
    topicId: null,
    type: "KNOWLEDGE",
  }));
  const creation = useChange(createDocument, {
    refreshes: refreshedByDocuments,
    onDone: (created) => void navigate({ to: "/documents/$documentId", params: { documentId: created.document.id } }),
  });
  const addition = useChange(createVersion, {
    refreshes: refreshedByDocuments,
    onDone: ({ version }) => {
      onClose();
      onVersion?.(version.versionNumber);
    },
  });
  const { error, isPending } = document === undefined ? creation : addition;
  useIssues({ setErrors }, error);
  const { title, content, topicId, type } = draft;
  const save = () =>
    document === undefined
      ? creation.mutate({ title, content, type, documentStatus: "ACTIVE", ...(topicId !== null && { topicId }) })
      : addition.mutate({ id: document.id, title, content });
  const readFile = async (file: File | null) => {
    if (file !== null) set({ content: await file.text(), ...(title === "" && { title: file.name }) });
  };
  return (
    <FormModal
      title={document === undefined ? "New document" : "New version"}
      submitLabel="Create"
      size="xl"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <TextInput label="Title" required data-autofocus {...inputs.input("title")} />
      <FileInput
        label="File"
        description="Text or Markdown. For other formats, use Upload on the page of documents"
        placeholder="Choose a file"
        accept=".txt,.md,.markdown,text/*"
        onChange={(file) => void readFile(file)}
      />
      <Textarea label="Text" required autosize minRows={6} maxRows={18} {...inputs.input("content")} />
      {document === undefined && (
        <>
          <Select label="Type" allowDeselect={false} data={types} {...inputs.input("type")} />
          <Select
            label="Topic"
            placeholder="None"
            searchable
            clearable
            clearButtonProps={{ "aria-label": "No topic" }}
            data={topics}
            {...inputs.input("topicId")}
          />
        </>
      )}
    </FormModal>
  );
}
