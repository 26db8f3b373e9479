import { Checkbox, SegmentedControl } from "@mantine/core";
import type { Loaded } from "../api/conditional.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useTopics } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { MultiPicker } from "../ui/pick/picker.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { createFact, type Fact, refreshedByFacts, scopes, updateFact } from "./fact-requests.ts";

interface FactFormProps {
  /** Fact to edit. Undefined creates one. */
  readonly fact?: Loaded<{ readonly data: Fact }>;
  readonly onClose: () => void;
}

const scopeLabels = { TOPIC: "Selected topics", APPLICATION: "Whole application" } as const;

const toDraft = ({ statement, sourceQuote, scope, topicIds, status, isVerified }: Fact) => ({
  statement,
  sourceQuote: sourceQuote ?? "",
  scope,
  topicIds,
  isVerified,
  isActive: status === "ACTIVE",
});
type FactDraft = ReturnType<typeof toDraft>;
const newDraft: FactDraft = {
  statement: "",
  sourceQuote: "",
  scope: "TOPIC",
  topicIds: [],
  isActive: true,
  isVerified: false,
};
const field = fieldFor<FactDraft>();

const toBody = ({ statement, sourceQuote, scope, topicIds, isActive, isVerified }: FactDraft) => ({
  statement,
  scope,
  isVerified,
  topicIds: scope === "TOPIC" ? topicIds : [],
  status: isActive ? ("ACTIVE" as const) : ("DRAFT" as const),
  sourceQuote: sourceQuote === "" ? null : sourceQuote,
});

export function FactForm({ fact, onClose }: FactFormProps) {
  const topics = useTopics("", fact?.body.data.topicIds ?? []).choices;
  const edit = useEdit({
    loaded: fact,
    newDraft: () => newDraft,
    create: (draft) => createFact(toBody(draft)),
    onCreated: onClose,
    toDraft: ({ data }) => toDraft(data),
    fields: [
      field("statement", "Statement"),
      field("scope", "Scope", (scope) => scopeLabels[scope]),
      field("topicIds", "Topics", chosenFrom(topics)),
      field("sourceQuote", "Source quote"),
      field("isActive", "Active: used by judges"),
      field("isVerified", "Verified"),
    ],
    makeRequest: (draft, { data: { id } }) => updateFact({ id, ...toBody(draft) }),
    refreshes: refreshedByFacts,
    onSaved: onClose,
  });
  const { draft } = edit;
  return (
    <FormModal title={fact === undefined ? "New fact" : "Edit fact"} {...edit.modal} onClose={onClose}>
      <LongTextField label="Statement" required data-autofocus {...edit.input("statement")} />
      <SegmentedControl
        aria-label="Scope"
        data={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
        {...edit.input("scope")}
      />
      {draft.scope === "TOPIC" && (
        <MultiPicker
          label="Topics"
          source={useTopics}
          clearable
          clearButtonProps={{ "aria-label": "No topics" }}
          {...edit.input("topicIds")}
        />
      )}
      <LongTextField label="Source quote" autosize minRows={1} maxRows={6} {...edit.input("sourceQuote")} />
      <Checkbox label="Active: used by judges" {...edit.check("isActive")} />
      <Checkbox label="Verified" {...edit.check("isVerified")} />
    </FormModal>
  );
}
