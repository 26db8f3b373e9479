// Creates a document of a pasted text or a text file, or a new version of one.

import { FileInput, Select, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { createDocument, createVersion, type Document, refreshedByDocuments } from "./document-requests.ts";
import { documentTypes } from "./document-search.ts";

interface DocumentFormProps {
  /** The document of a new version; a new document when absent. */
  readonly document?: Document;
  readonly onClose: () => void;
  readonly onVersion?: (versionNumber: number) => void;
}

const types = documentTypes.map((value) => ({ value, label: words(value) }));

export function DocumentForm({ document, onClose, onVersion }: DocumentFormProps) {
  const navigate = useNavigate();
  const topics = useTopicChoices();
  const [draft, setDraft] = useState(() => ({
    title: document?.title ?? "",
    content: document?.content ?? "",
    topicId: null as string | null,
    type: "KNOWLEDGE" as (typeof documentTypes)[number],
  }));
  const set = (change: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...change }));
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
  const issues = issuesByField(error);
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
      <TextInput
        label="Title"
        required
        data-autofocus
        value={title}
        error={issues.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <FileInput
        label="From a file"
        description="Text or Markdown; other kinds are taken by POST /v0/documents/upload"
        placeholder="Choose a file"
        accept=".txt,.md,.markdown,text/*"
        onChange={(file) => void readFile(file)}
      />
      <Textarea
        label="Text"
        required
        autosize
        minRows={6}
        maxRows={18}
        value={content}
        error={issues.content}
        onChange={(event) => set({ content: event.currentTarget.value })}
      />
      {document === undefined && (
        <>
          <Select
            label="Type"
            allowDeselect={false}
            data={types}
            value={type}
            onChange={(value) => set({ type: documentTypes.find((each) => each === value) ?? "KNOWLEDGE" })}
          />
          <Select
            label="Topic"
            placeholder="None"
            searchable
            clearable
            clearButtonProps={{ "aria-label": "No topic" }}
            data={topics}
            value={topicId}
            error={issues.topicId}
            onChange={(value) => set({ topicId: value })}
          />
        </>
      )}
    </FormModal>
  );
}
