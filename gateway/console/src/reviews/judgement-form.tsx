// Form for one reviewer's verdict on a trace, or for several verdicts by different evaluators.

import { Group, NumberInput, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { Check, X } from "lucide-react";
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useDraft, useIssues } from "../edits/use-draft.ts";
import { useRefusal } from "../session/permissions.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";
import { plural } from "../ui/format.ts";
import { critiqueMin, missingCharacters, toCritique } from "./critique.ts";
import { fails, findUnjudged, isSaved, type PassCriterion, type PassRow, type RestoredPass } from "./pass.ts";
import { AddEvaluators, PassRows } from "./pass-rows.tsx";
import type { QueueItem } from "./review-requests.ts";
import { usePass } from "./use-pass.ts";

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
  /** Adds the next evaluator to the review. */
  add(): void;
}

interface JudgementFormProps {
  readonly keys: Ref<JudgementKeys>;
  readonly item: QueueItem;
  /** Criterion of the queue item, then further evaluators of the trace. */
  readonly criteria: readonly [PassCriterion, ...PassCriterion[]];
  /** The reviewer's unfinished review of the trace. */
  readonly restored: RestoredPass | undefined;
  readonly onJudge: (judgement: Judgement) => void;
  /** Called when a review by several evaluators is saved. */
  readonly onDone: () => void;
  /** True while the next trace loads. */
  readonly isBlocked: boolean;
  readonly isSaving: boolean;
  readonly error: unknown;
}

/** Hides the judge's result until the review is saved, because reviewers who see it first agree too often. */
export function JudgementForm(props: JudgementFormProps) {
  const { keys, item, criteria, restored, onJudge, onDone, isBlocked, isSaving } = props;
  const [own, ...further] = criteria;
  const { draft, set, setErrors, inputs } = useDraft((): { critique: string; score: number | string } => ({
    critique: "",
    score: "",
  }));
  const pass = usePass({ item, own, onDone });
  const { rows, isStarted, isSending } = pass;
  const error = isStarted ? pass.error : props.error;
  useIssues({ setErrors }, error);
  const [isCritiqueDue, setCritiqueDue] = useState(false);
  const [isIncomplete, setIncomplete] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const saveButton = useRef<HTMLButtonElement>(null);
  const missing = missingCharacters(draft.critique);
  const isRefused = useRefusal(judging) !== undefined;
  const ownScore = typeof draft.score === "number" ? draft.score : null;
  const isUntouched = !isStarted && draft.critique === "";
  useEffect(() => {
    if (restored === undefined || !isUntouched) return;
    pass.restore(restored);
    set({ critique: restored.critique });
  }, [restored, isUntouched, pass.restore, set]);

  const needsCritique = (judged: readonly Pick<PassRow, "verdict">[]) =>
    judged.some(({ verdict }) => verdict === false) && missing > 0;
  const askForCritique = () => {
    setCritiqueDue(true);
    field.current?.focus();
  };
  const judgeRow = (at: number, verdict: boolean) => {
    const { rows: judged, next } = pass.judge(at, verdict);
    if (next !== -1) return;
    if (needsCritique(judged)) field.current?.focus();
    else saveButton.current?.focus();
  };
  const judge = (verdict: boolean) => {
    if (isRefused) return;
    if (isStarted) return judgeRow(pass.active, verdict);
    if (needsCritique([{ verdict }])) return askForCritique();
    onJudge({ verdict, critique: toCritique(draft.critique), score: ownScore });
  };
  const save = () => {
    if (isRefused || isSending || isBlocked) return;
    const unjudged = findUnjudged(rows);
    setIncomplete(unjudged !== -1);
    if (unjudged !== -1) pass.setActive(unjudged);
    else if (needsCritique(rows)) askForCritique();
    else pass.send(draft.critique);
  };
  const left = further.filter(({ definitionId }) =>
    rows.every(({ criterion }) => criterion.definitionId !== definitionId),
  );
  const add = (added: readonly PassCriterion[]) => !isSending && pass.add(added, ownScore);
  useImperativeHandle(keys, () => ({
    pass: () => judge(true),
    fail: () => judge(false),
    add: () => !isRefused && add(left.slice(0, 1)),
  }));
  const savedCount = rows.filter((row) => isSaved(row, pass.saved)).length;
  return (
    <Stack gap="sm" maw={720}>
      <Textarea
        ref={field}
        label="Why"
        description={
          isStarted
            ? `One explanation for all verdicts. Required if one fails (${critiqueMin}+ characters). Ctrl+Enter to save`
            : `Required if it fails (${critiqueMin}+ characters). Ctrl+Enter to fail`
        }
        autosize
        minRows={2}
        maxRows={10}
        {...inputs.input("critique")}
        error={
          inputs.errors.critique ??
          (isCritiqueDue &&
            missing > 0 &&
            (!isStarted || fails(rows)) &&
            `Please explain in at least ${critiqueMin} characters: ${missing} more`)
        }
        onKeyDown={getHotkeyHandler([["mod+Enter", () => (isStarted ? save() : judge(false))]])}
      />
      {isStarted ? (
        <PassRows pass={pass} onJudge={judgeRow} />
      ) : (
        own.scale !== null && (
          <NumberInput
            label="Score"
            description={`${own.scale.low} to ${own.scale.high}, optional. ${own.scale.threshold} or more passes`}
            min={own.scale.low}
            max={own.scale.high}
            step={(own.scale.high - own.scale.low) / 4}
            maw={240}
            {...inputs.input("score")}
          />
        )
      )}
      {isIncomplete && findUnjudged(rows) !== -1 && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          Choose Pass or Fail for each evaluator, or remove it
        </Text>
      )}
      <FormError error={error} />
      {isStarted ? (
        <Group>
          <ActionButton
            ref={saveButton}
            operation={judging}
            leftSection={<Check size={14} />}
            loading={isSending}
            onClick={save}
          >
            {savedCount > 0 && savedCount < rows.length ? "Save the rest" : `Save ${plural(rows.length, "verdict")}`}
          </ActionButton>
          <Text size="xs" c="dimmed" role="status">
            {savedCount === 0
              ? "Judges' results appear after your review."
              : `${savedCount} of ${plural(rows.length, "verdict")} saved. The trace stays in the queue until all are.`}
          </Text>
        </Group>
      ) : (
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
      )}
      {!isRefused && <AddEvaluators criteria={left} onAdd={add} />}
    </Stack>
  );
}
