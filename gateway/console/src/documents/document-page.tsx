import { Group, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { CircleCheck, Plus, Trash2 } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ConflictDialog } from "../edits/conflict-dialog.tsx";
import { fieldFor } from "../edits/fields.ts";
import { useChoice } from "../edits/use-edit.ts";
import { Person } from "../settings/person.tsx";
import { TagList } from "../tags/tag-list.tsx";
import { useTopicTitles } from "../topics/topic-names.ts";
import { ActionButton, ActionSelect } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { localTime, missing, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { DocumentForm } from "./document-form.tsx";
import {
  activateVersion,
  type Document,
  deleteDocument,
  getDocument,
  refreshedByDocuments,
  updateStatus,
} from "./document-requests.ts";
import { documentStatuses } from "./document-search.ts";
import classes from "./documents.module.css";
import { VersionDiff } from "./version-diff.tsx";

const route = getRouteApi("/signed-in/documents/$documentId");
const parent = { to: "/documents", label: "Documents" } as const;
const statuses = documentStatuses.map((value) => ({ value, label: words(value) }));

export default function DocumentPage() {
  const { documentId } = route.useParams();
  return (
    <Detail request={getDocument(documentId)} title="Document" parent={parent}>
      {(_, loaded) => <DocumentDetail loaded={loaded} />}
    </Detail>
  );
}

const field = fieldFor<Pick<Document, "activeVersionNumber">>();

function DocumentDetail({ loaded }: { readonly loaded: Loaded<{ readonly document: Document }> }) {
  const { document } = loaded.body;
  const search = route.useSearch();
  const navigate = useNavigate();
  const [isAdding, add] = useDisclosure();
  const [isDeleting, remove] = useDisclosure();
  const { versions, activeVersionNumber, topicId } = document;
  const displayed = versions.find(({ versionNumber }) => versionNumber === (search.version ?? activeVersionNumber));
  const before = versions.find(({ versionNumber }) => versionNumber === search.before);
  const active = versions.find(({ versionNumber }) => versionNumber === activeVersionNumber);
  const topics = useTopicTitles([topicId]);
  const show = (change: { version?: number; before?: number | undefined }) =>
    void navigate({
      to: "/documents/$documentId",
      params: { documentId: document.id },
      search: { ...search, ...change },
    });
  const activation = useChoice({
    loaded,
    toDraft: ({ document: { activeVersionNumber } }) => ({ activeVersionNumber }),
    fields: [field("activeVersionNumber", "Active version")],
    makeRequest: ({ activeVersionNumber: versionNumber }, { document: { id } }) =>
      activateVersion({ id, versionNumber }),
    refreshes: refreshedByDocuments,
  });
  const change = useChange(updateStatus, { refreshes: refreshedByDocuments });
  const deletion = useChange(deleteDocument, {
    refreshes: ["/v0/topics"],
    onDone: () => void navigate({ to: "/documents" }),
  });
  const error = activation.error ?? change.error;
  const choices = versions.map((version) => ({
    value: String(version.versionNumber),
    label: `${version.versionNumber}${version.versionNumber === activeVersionNumber ? " (active)" : ""}, ${localTime(version.createdAt)}`,
  }));
  return (
    <Page
      title={document.title}
      parent={parent}
      mark={<Status value={active?.status} />}
      requests={[getDocument(document.id)]}
      actions={
        <>
          <ActionButton
            operation="POST /v0/documents/{id}/versions"
            leftSection={<Plus size={14} />}
            onClick={add.open}
          >
            New version
          </ActionButton>
          <ActionButton
            operation="DELETE /v0/documents/{id}"
            variant="default"
            leftSection={<Trash2 size={14} />}
            onClick={remove.open}
          >
            Delete
          </ActionButton>
        </>
      }
    >
      <Stack gap="lg">
        {error !== null && (
          <Text size="sm" c="var(--ems-bad)" role="alert">
            {messageOfError(error)}
          </Text>
        )}
        <Facts
          rows={[
            ["Type", words(document.type)],
            topicId !== null && [
              "Topic",
              <AnchorLink key="topic" to="/topics/$topicId" params={{ topicId }} inherit>
                {topics.get(topicId) ?? "…"}
              </AnchorLink>,
            ],
            ["Tags", document.tags.length === 0 ? missing : <TagList key="tags" tags={document.tags} />],
            ["Verified", document.isVerified ? "Yes" : "No"],
            ["Assignee", <Person key="assignee" id={document.assignee} />],
            ["Changed", <Time key="changed" value={document.modifiedAt} />],
          ]}
        />
        <Group align="flex-end" gap="sm">
          <ActionSelect
            operation="POST /v0/documents/status"
            label="Status of the active version"
            allowDeselect={false}
            data={statuses}
            value={active?.status ?? null}
            disabled={change.isPending}
            onChange={(value) => {
              const status = documentStatuses.find((each) => each === value);
              if (status !== undefined) change.mutate({ documentIds: [document.id], status });
            }}
          />
          <Select
            label="Version"
            allowDeselect={false}
            data={choices}
            value={String(displayed?.versionNumber ?? "")}
            onChange={(value) => show({ version: Number(value) })}
          />
          <Select
            label="Compare with"
            placeholder="None"
            clearable
            clearButtonProps={{ "aria-label": "Clear comparison" }}
            data={choices.filter(({ value }) => value !== String(displayed?.versionNumber))}
            value={before === undefined ? null : String(before.versionNumber)}
            onChange={(value) => show({ before: value === null ? undefined : Number(value) })}
          />
          {displayed !== undefined && displayed.versionNumber !== activeVersionNumber && (
            <ActionButton
              operation="PUT /v0/documents/{id}/versions/{versionNumber}/activate"
              variant="default"
              leftSection={<CircleCheck size={14} />}
              loading={activation.isPending}
              onClick={() => activation.choose({ activeVersionNumber: displayed.versionNumber })}
            >
              Make active
            </ActionButton>
          )}
        </Group>
        {displayed !== undefined && (
          <Section title={before === undefined ? `Version ${displayed.versionNumber}` : "Difference"}>
            {before === undefined ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
              <section className={classes.text} tabIndex={0} aria-label={`Text of version ${displayed.versionNumber}`}>
                <Markdown text={displayed.content} />
              </section>
            ) : (
              <VersionDiff before={before} after={displayed} />
            )}
          </Section>
        )}
      </Stack>
      <ConflictDialog conflict={activation.conflict} closeLabel="Cancel" />
      {isAdding && (
        <DocumentForm
          document={document}
          onClose={add.close}
          onVersion={(version) => show({ version, before: activeVersionNumber })}
        />
      )}
      <Confirm
        title="Delete this document?"
        confirmLabel="Delete"
        isOpen={isDeleting}
        onClose={remove.close}
        onConfirm={() => deletion.mutate(document.id)}
        isSaving={deletion.isPending}
        error={deletion.error}
      >
        {`${document.title} and all of its versions are deleted. This cannot be undone.`}
      </Confirm>
    </Page>
  );
}
