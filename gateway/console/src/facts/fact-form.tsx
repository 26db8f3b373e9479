import { Checkbox, MultiSelect, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import type { Choice } from "../ui/filters/choice-filter.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { createFact, type Fact, refreshedByFacts, scopes, updateFact } from "./fact-requests.ts";

interface FactFormProps {
  /** The one to change; a new one when absent. */
  readonly fact?: Fact;
  readonly topics: readonly Choice<string>[];
  readonly onClose: () => void;
}

const scopeLabels = { TOPIC: "Of topics", APPLICATION: "Of the application" } as const;

export function FactForm({ fact, topics, onClose }: FactFormProps) {
  const [statement, setStatement] = useState(fact?.statement ?? "");
  const [sourceQuote, setSourceQuote] = useState(fact?.sourceQuote ?? "");
  const [scope, setScope] = useState<(typeof scopes)[number]>(fact?.scope ?? "TOPIC");
  const [topicIds, setTopicIds] = useState<string[]>(fact?.topicIds ?? []);
  const [isActive, setActive] = useState(fact === undefined || fact.status === "ACTIVE");
  const [isVerified, setVerified] = useState(fact?.isVerified ?? false);
  const changed = { refreshes: refreshedByFacts, onDone: onClose };
  const [created, updated] = [useChange(createFact, changed), useChange(updateFact, changed)];
  const error = created.error ?? updated.error;
  const issues = issuesByField(error);
  const save = () => {
    const body = {
      ...{ statement, scope, isVerified, topicIds: scope === "TOPIC" ? topicIds : [] },
      status: isActive ? ("ACTIVE" as const) : ("DRAFT" as const),
      sourceQuote: sourceQuote === "" ? null : sourceQuote,
    };
    if (fact === undefined) created.mutate(body);
    else updated.mutate({ id: fact.id, ...body });
  };
  return (
    <FormModal
      title={fact === undefined ? "New fact" : "Edit fact"}
      submitLabel={fact === undefined ? "Create" : "Save"}
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={created.isPending || updated.isPending}
      error={error}
    >
      <LongTextField
        label="Statement"
        required
        data-autofocus
        value={statement}
        error={issues.statement}
        onChange={setStatement}
      />
      <SegmentedControl
        aria-label="True of"
        data={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
        value={scope}
        onChange={(value) => setScope(value)}
      />
      {scope === "TOPIC" && (
        <MultiSelect
          label="Topics"
          searchable
          clearable
          clearButtonProps={{ "aria-label": "No topics" }}
          data={topics}
          value={topicIds}
          error={issues.topicIds}
          onChange={setTopicIds}
        />
      )}
      <LongTextField
        label="Quote of the source"
        autosize
        minRows={1}
        maxRows={6}
        value={sourceQuote}
        error={issues.sourceQuote}
        onChange={setSourceQuote}
      />
      <Checkbox
        label="Active: judges read it"
        checked={isActive}
        onChange={(event) => setActive(event.currentTarget.checked)}
      />
      <Checkbox
        label="Somebody checked it"
        checked={isVerified}
        onChange={(event) => setVerified(event.currentTarget.checked)}
      />
    </FormModal>
  );
}
