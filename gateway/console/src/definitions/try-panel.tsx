// Tries a definition on a pasted answer or a trace, with the same judge that evaluates tests.

import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import { EvaluationCard } from "../tests/evaluation-card.tsx";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { TextList } from "../ui/text-list.tsx";
import { tryDefinition } from "./definition-requests.ts";
import { aboutType } from "./definition-types.ts";
import { TraceField } from "./trace-field.tsx";
import { toTrialParts, toTrialRequest } from "./trial-draft.ts";
import type { Trial } from "./use-trial.ts";

const sources = [
  { value: "answer", label: "A pasted answer" },
  { value: "trace", label: "A past trace" },
];

export function TryPanel({ definition, form }: Trial) {
  const { draft, input, save, isPending, error, created } = form;
  const { type, name } = definition;
  const data = created?.data;
  return (
    <Stack gap="sm">
      <SegmentedControl fullWidth size="xs" data={sources} aria-label="Try it on" {...input("source")} />
      {draft.source === "trace" ? (
        <TraceField value={draft.traceId} {...input("traceId")} />
      ) : (
        <PastedFields definition={definition} form={form} />
      )}
      <ExpectedField definition={definition} form={form} />
      {aboutType[type].needsModel && (
        <Text size="xs" c="dimmed">
          Calls the application's model, within its limits and budgets.
        </Text>
      )}
      <FormError error={error} />
      <Group gap="xs">
        <ActionButton
          operation="POST /v0/definitions/try"
          variant="light"
          leftSection={<FlaskConical size={14} />}
          loading={isPending}
          onClick={save}
        >
          Try it
        </ActionButton>
        <RequestButton requests={[tryDefinition(toTrialRequest(definition, draft))]} />
      </Group>
      <div aria-live="polite">
        {data != null && (
          <EvaluationCard
            evaluation={{
              ...data,
              definition: { name: name === "" ? "Trial" : name, type },
              waitingFor: null,
              definitionVersion: null,
              attempts: null,
            }}
          />
        )}
      </div>
    </Stack>
  );
}

function PastedFields({ definition, form: { draft, input } }: Trial) {
  const { hasQuestion, hasContext } = toTrialParts(definition);
  return (
    <>
      {hasQuestion && <LongTextField label="Question" minRows={1} maxRows={8} {...input("question")} />}
      <LongTextField label="Answer" minRows={4} maxRows={14} {...input("answer")} />
      {hasContext && (
        <TextList
          label="Context"
          description="Retrieved passages, most relevant first"
          itemLabel="Passage"
          values={draft.context}
          {...input("context")}
        />
      )}
    </>
  );
}

function ExpectedField({ definition, form: { draft, errors, input } }: Trial) {
  const { isList, isCompared } = toTrialParts(definition);
  if (!isCompared) return null;
  if (isList)
    return (
      <TextList
        label="Expected"
        description="Expected answer, as a link would set it"
        itemLabel="Item"
        values={draft.items}
        {...input("items")}
        error={errors.expected}
      />
    );
  return (
    <LongTextField
      label="Expected"
      description={
        definition.type === "FACT"
          ? "Replaces the ground truth, as a link would"
          : "Expected answer, as a link would set it"
      }
      minRows={1}
      maxRows={8}
      {...input("expected")}
    />
  );
}
