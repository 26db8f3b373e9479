// Evaluators of one review, each with its verdict and score.

import { ActionIcon, Button, Group, Kbd, NumberInput, Text } from "@mantine/core";
import { Check, Plus, X } from "lucide-react";
import { isSaved, type PassCriterion, type PassRow } from "./pass.ts";
import classes from "./reviews.module.css";
import type { Pass } from "./use-pass.ts";

interface PassRowsProps {
  readonly pass: Pass;
  readonly onJudge: (at: number, verdict: boolean) => void;
}

export function PassRows({ pass, onJudge }: PassRowsProps) {
  return (
    <ul className={classes.rows} aria-label="Verdicts">
      {pass.rows.map((row, at) => (
        <Row key={row.criterion.definitionId} row={row} at={at} pass={pass} onJudge={onJudge} />
      ))}
    </ul>
  );
}

interface RowProps extends PassRowsProps {
  readonly row: PassRow;
  readonly at: number;
}

function Row({ row, at, pass, onJudge }: RowProps) {
  const { criterion, verdict, score } = row;
  const { name, text, scale } = criterion;
  const isActive = pass.active === at;
  const isStored = pass.saved.has(criterion.definitionId);
  return (
    <li className={classes.row} data-active={isActive || undefined} aria-current={isActive || undefined}>
      <div className={classes.name}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {/* The panel above the conversation shows the text of the queue's own evaluator. */}
        {at > 0 && text !== null && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {text}
          </Text>
        )}
      </div>
      {scale !== null && (
        <NumberInput
          className={classes.score}
          aria-label={`Score by ${name}`}
          placeholder={`${scale.low} to ${scale.high}`}
          title={`Optional. ${scale.threshold} or more passes`}
          size="xs"
          w={88}
          min={scale.low}
          max={scale.high}
          step={(scale.high - scale.low) / 4}
          value={score ?? ""}
          onFocus={() => pass.setActive(at)}
          onChange={(value) => pass.setScore(at, row, typeof value === "number" ? value : null)}
        />
      )}
      <Group gap={4} wrap="nowrap" className={classes.verdicts}>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.verdict}
          data-verdict="pass"
          aria-pressed={verdict === true}
          aria-label={`Pass by ${name}`}
          leftSection={<Check size={12} />}
          onClick={() => onJudge(at, true)}
        >
          Pass
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.verdict}
          data-verdict="fail"
          aria-pressed={verdict === false}
          aria-label={`Fail by ${name}`}
          leftSection={<X size={12} />}
          onClick={() => onJudge(at, false)}
        >
          Fail
        </Button>
      </Group>
      <span className={classes.end}>
        {isStored ? (
          isSaved(row, pass.saved) && (
            <span className={classes.saved}>
              <Check size={12} aria-hidden />
              Saved
            </span>
          )
        ) : at > 0 ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Remove ${name}`}
            onClick={() => pass.remove(at)}
          >
            <X size={14} />
          </ActionIcon>
        ) : null}
      </span>
    </li>
  );
}

interface AddEvaluatorsProps {
  readonly criteria: readonly PassCriterion[];
  readonly onAdd: (criteria: readonly PassCriterion[]) => void;
}

/** Buttons that add evaluators to the review. */
export function AddEvaluators({ criteria, onAdd }: AddEvaluatorsProps) {
  if (criteria.length === 0) return null;
  return (
    <Group gap={4} role="group" aria-label="Also judge by">
      <Text size="xs" c="dimmed" mr={4}>
        Also judge by <Kbd size="xs">a</Kbd>
      </Text>
      {criteria.map((criterion) => (
        <Button
          key={criterion.definitionId}
          variant="default"
          size="compact-xs"
          className={classes.chip}
          leftSection={<Plus size={12} />}
          onClick={() => onAdd([criterion])}
        >
          {criterion.name}
        </Button>
      ))}
    </Group>
  );
}
