import { Group, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { Check, X } from "lucide-react";
import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useRefusal } from "../session/permissions.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";

/** Of the API, for traces that fail. */
const critiqueMin = 20;

export const judging = "POST /v0/human-annotations";

export interface JudgementKeys {
  pass(): void;
  /** Asks for the critique first. */
  fail(): void;
}

interface JudgementFormProps {
  readonly keys: Ref<JudgementKeys>;
  readonly onJudge: (verdict: boolean, critique: string | null) => void;
  readonly isSaving: boolean;
  readonly error: unknown;
}

/** What the judge found is shown afterwards: whoever sees it first agrees too often. */
export function JudgementForm({ keys, onJudge, isSaving, error }: JudgementFormProps) {
  const [critique, setCritique] = useState("");
  const [isCritiqueDue, setCritiqueDue] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isRefused = useRefusal(judging) !== undefined;
  const judge = (verdict: boolean) => {
    if (isRefused) return;
    if (!verdict && critique.trim().length < critiqueMin) {
      setCritiqueDue(true);
      field.current?.focus();
      return;
    }
    onJudge(verdict, critique.trim() === "" ? null : critique);
  };
  useImperativeHandle(keys, () => ({ pass: () => judge(true), fail: () => judge(false) }));
  return (
    <Stack gap="sm" maw={720}>
      <Textarea
        ref={field}
        label="Why"
        description={`At least ${critiqueMin} characters where it fails; Ctrl-Enter fails it with them`}
        autosize
        minRows={2}
        maxRows={10}
        value={critique}
        error={
          issuesByField(error).critique ??
          (isCritiqueDue && critique.trim().length < critiqueMin
            ? `${critiqueMin - critique.trim().length} characters more, so that others learn from it`
            : undefined)
        }
        onChange={(event) => setCritique(event.currentTarget.value)}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => judge(false)]])}
      />
      <FormError error={error} />
      <Group>
        <ActionButton
          operation={judging}
          leftSection={<Check size={14} />}
          loading={isSaving}
          onClick={() => judge(true)}
        >
          Pass
        </ActionButton>
        <ActionButton
          operation={judging}
          variant="default"
          leftSection={<X size={14} />}
          loading={isSaving}
          onClick={() => judge(false)}
        >
          Fail
        </ActionButton>
        <Text size="xs" c="dimmed">
          What the judge found is shown once you have judged.
        </Text>
      </Group>
    </Stack>
  );
}
