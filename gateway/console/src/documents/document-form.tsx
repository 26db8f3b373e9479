// Form to create a document, or a new version of one, from pasted text or a text file.

import { Select, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ApiRequest } from "../api/request.ts";
import { useNew } from "../edits/use-new.ts";
import { useTopics } from "../topics/topic-names.ts";
import { FileField } from "../ui/file-field.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { Picker } from "../ui/pick/picker.tsx";
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

interface Created {
  readonly document: { readonly id: string };
  readonly version: { readonly versionNumber: number };
}

const types = documentTypes.map((value) => ({ value, label: words(value) }));

export function DocumentForm({ document, onClose, onVersion }: DocumentFormProps) {
  const navigate = useNavigate();
  const { draft, set, input, modal } = useNew({
    newDraft: (): DocumentDraft => ({
      title: document?.title ?? "",
      content: document?.content ?? "",
      topicId: null,
      type: "KNOWLEDGE",
    }),
    create: ({ title, content, type, topicId }): ApiRequest<Partial<Created>> =>
      document === undefined
        ? createDocument({ title, content, type, documentStatus: "ACTIVE", ...(topicId !== null && { topicId }) })
        : createVersion({ id: document.id, title, content }),
    refreshes: refreshedByDocuments,
    onCreated: ({ document: created, version }) => {
      if (document === undefined && created !== undefined) {
        void navigate({ to: "/documents/$documentId", params: { documentId: created.id } });
      } else if (version !== undefined) {
        onClose();
        onVersion?.(version.versionNumber);
      }
    },
  });
  const readFile = async (file: File | null) => {
    if (file !== null) set({ content: await file.text(), ...(draft.title === "" && { title: file.name }) });
  };
  return (
    <FormModal title={document === undefined ? "New document" : "New version"} size="xl" {...modal} onClose={onClose}>
      <TextInput label="Title" required data-autofocus {...input("title")} />
      <FileField
        label="File"
        description="Text or Markdown. For other formats, use Upload on the page of documents"
        placeholder="Choose or drop a file"
        accept=".txt,.md,.markdown,text/*"
        onChange={(file) => void readFile(file)}
      />
      <Textarea label="Text" required autosize minRows={6} maxRows={18} {...input("content")} />
      {document === undefined && (
        <>
          <Select label="Type" allowDeselect={false} data={types} {...input("type")} />
          <Picker
            label="Topic"
            placeholder="None"
            source={useTopics}
            clearable
            clearButtonProps={{ "aria-label": "No topic" }}
            {...input("topicId")}
          />
        </>
      )}
    </FormModal>
  );
}
