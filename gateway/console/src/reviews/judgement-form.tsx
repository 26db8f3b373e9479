import { Group, NumberInput, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { Check, X } from "lucide-react";
import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { useDraft, useIssues } from "../edits/use-draft.ts";
import { useRefusal } from "../session/permissions.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";
import { critiqueMin, missingCharacters, toCritique } from "./critique.ts";
import type { Criterion } from "./review-requests.ts";

export const judging = "POST /v0/human-annotations";

export interface Judgement {
  readonly verdict: boolean;
  readonly critique: string | null;
  readonly score: number | null;
}

export interface JudgementKeys {
  pass(): void;
  /** Fails the trace. If the critique is too short, asks for it first. */
  fail(): void;
}

interface JudgementFormProps {
  readonly keys: Ref<JudgementKeys>;
  readonly onJudge: (judgement: Judgement) => void;
  /** Scale of the criterion; null if it has only a verdict. */
  readonly scale: Criterion["scale"];
  readonly isSaving: boolean;
  readonly error: unknown;
}

/** Hides the judge's result until the review is saved, because reviewers who see it first agree too often. */
export function JudgementForm({ keys, onJudge, scale, isSaving, error }: JudgementFormProps) {
  const { draft, setErrors, inputs } = useDraft((): { critique: string; score: number | string } => ({
    critique: "",
    score: "",
  }));
  useIssues({ setErrors }, error);
  const [isCritiqueDue, setCritiqueDue] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const missing = missingCharacters(draft.critique);
  const isRefused = useRefusal(judging) !== undefined;
  const judge = (verdict: boolean) => {
    if (isRefused) return;
    if (!verdict && missing > 0) {
      setCritiqueDue(true);
      field.current?.focus();
      return;
    }
    const score = typeof draft.score === "number" ? draft.score : null;
    onJudge({ verdict, critique: toCritique(draft.critique), score });
  };
  useImperativeHandle(keys, () => ({ pass: () => judge(true), fail: () => judge(false) }));
  return (
    <Stack gap="sm" maw={720}>
      <Textarea
        ref={field}
        label="Why"
        description={`Required if it fails (${critiqueMin}+ characters). Ctrl+Enter to fail`}
        autosize
        minRows={2}
        maxRows={10}
        {...inputs.input("critique")}
        error={
          inputs.errors.critique ??
          (isCritiqueDue && missing > 0 && `Please explain in at least ${critiqueMin} characters: ${missing} more`)
        }
        onKeyDown={getHotkeyHandler([["mod+Enter", () => judge(false)]])}
      />
      {scale !== null && (
        <NumberInput
          label="Score"
          description={`${scale.low} to ${scale.high}, optional. ${scale.threshold} or more passes`}
          min={scale.low}
          max={scale.high}
          step={(scale.high - scale.low) / 4}
          maw={240}
          {...inputs.input("score")}
        />
      )}
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
          The judge's result appears after your review.
        </Text>
      </Group>
    </Stack>
  );
}
