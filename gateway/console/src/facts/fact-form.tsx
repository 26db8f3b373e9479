import { Checkbox, MultiSelect, SegmentedControl } from "@mantine/core";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { createFact, type Fact, refreshedByFacts, scopes, updateFact } from "./fact-requests.ts";

interface FactFormProps {
  /** The one to change; a new one when absent. */
  readonly fact?: Loaded<{ readonly data: Fact }>;
  readonly onClose: () => void;
}

const scopeLabels = { TOPIC: "Of topics", APPLICATION: "Of the application" } as const;

const draftOf = ({ statement, sourceQuote, scope, topicIds, status, isVerified }: Fact) => ({
  statement,
  sourceQuote: sourceQuote ?? "",
  scope,
  topicIds,
  isVerified,
  isActive: status === "ACTIVE",
});
type FactDraft = ReturnType<typeof draftOf>;
const newDraft: FactDraft = {
  statement: "",
  sourceQuote: "",
  scope: "TOPIC",
  topicIds: [],
  isActive: true,
  isVerified: false,
};
const field = fieldFor<FactDraft>();

const bodyOf = ({ statement, sourceQuote, scope, topicIds, isActive, isVerified }: FactDraft) => ({
  statement,
  scope,
  isVerified,
  topicIds: scope === "TOPIC" ? topicIds : [],
  status: isActive ? ("ACTIVE" as const) : ("DRAFT" as const),
  sourceQuote: sourceQuote === "" ? null : sourceQuote,
});

export function FactForm({ fact, onClose }: FactFormProps) {
  const topics = useTopicChoices();
  const created = useChange(createFact, { refreshes: refreshedByFacts, onDone: onClose });
  const edit = useEdit({
    loaded: fact,
    newDraft: () => newDraft,
    draftOf: ({ data }) => draftOf(data),
    fields: [
      field("statement", "Statement"),
      field("scope", "True of", (scope) => scopeLabels[scope]),
      field("topicIds", "Topics", chosenFrom(topics)),
      field("sourceQuote", "Quote of the source"),
      field("isActive", "Active: judges read it"),
      field("isVerified", "Somebody checked it"),
    ],
    makeRequest: (draft, { data: { id } }) => updateFact({ id, ...bodyOf(draft) }),
    refreshes: refreshedByFacts,
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const { error, isPending } = fact === undefined ? created : edit;
  const issues = issuesByField(error);
  const save = () => (fact === undefined ? created.mutate(bodyOf(draft)) : edit.save());
  return (
    <FormModal
      title={fact === undefined ? "New fact" : "Edit fact"}
      submitLabel={fact === undefined ? "Create" : "Save"}
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
      edit={edit.view}
    >
      <LongTextField
        label="Statement"
        required
        data-autofocus
        value={draft.statement}
        error={issues.statement}
        onChange={(statement) => set({ statement })}
      />
      <SegmentedControl
        aria-label="True of"
        data={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
        value={draft.scope}
        onChange={(scope) => set({ scope })}
      />
      {draft.scope === "TOPIC" && (
        <MultiSelect
          label="Topics"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "No topics" }}
          data={topics}
          value={draft.topicIds}
          error={issues.topicIds}
          onChange={(topicIds) => set({ topicIds })}
        />
      )}
      <LongTextField
        label="Quote of the source"
        autosize
        minRows={1}
        maxRows={6}
        value={draft.sourceQuote}
        error={issues.sourceQuote}
        onChange={(sourceQuote) => set({ sourceQuote })}
      />
      <Checkbox
        label="Active: judges read it"
        checked={draft.isActive}
        onChange={(event) => set({ isActive: event.currentTarget.checked })}
      />
      <Checkbox
        label="Somebody checked it"
        checked={draft.isVerified}
        onChange={(event) => set({ isVerified: event.currentTarget.checked })}
      />
    </FormModal>
  );
}
