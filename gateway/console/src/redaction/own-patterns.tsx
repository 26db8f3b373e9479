import { ActionIcon, Button, Group, Paper, Stack, Switch, Text } from "@mantine/core";
import { Plus, X } from "lucide-react";
import type { DraftInputs } from "../edits/use-draft.ts";
import { TextField } from "../ui/text-field.tsx";
import type { RuleFieldsProps } from "./built-in-patterns.tsx";
import classes from "./redaction.module.css";
import { replacementProps } from "./replacement-props.ts";
import { newRule, type Rule, type RulesDraft } from "./rules.ts";

export function OwnPatterns({ form, isFull, onRules }: RuleFieldsProps) {
  const rules = form.draft.redactions;
  const indexes = [...rules.keys()].filter((index) => rules[index]?.builtIn === null);
  return (
    <Stack gap="sm">
      {indexes.length === 0 && (
        <Text size="sm" c="dimmed">
          No patterns yet. Example: K-\d&#123;6&#125; for customer numbers.
        </Text>
      )}
      {indexes.map((index, at) => {
        const rule = rules[index];
        return (
          rule !== undefined && (
            <OwnPattern
              key={at}
              rule={rule}
              number={at + 1}
              path={`redactions.${index}`}
              form={form}
              onRemove={() => onRules(rules.toSpliced(index, 1))}
            />
          )
        );
      })}
      <Button
        variant="default"
        leftSection={<Plus size={14} />}
        style={{ alignSelf: "flex-start" }}
        disabled={isFull}
        onClick={() => onRules([...rules, newRule])}
      >
        Add a pattern
      </Button>
    </Stack>
  );
}

interface OwnPatternProps {
  readonly rule: Rule;
  readonly number: number;
  readonly path: `redactions.${number}`;
  readonly form: DraftInputs<RulesDraft>;
  readonly onRemove: () => void;
}

function OwnPattern({ rule, number, path, form: { input, check }, onRemove }: OwnPatternProps) {
  return (
    <Paper withBorder p="sm" m={0} component="fieldset" aria-label={`Pattern ${number}`}>
      <div className={classes.own}>
        <TextField label="Name" required {...input(`${path}.name`)} />
        <TextField
          label="Pattern"
          required
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          {...input(`${path}.pattern`)}
        />
        <TextField label="Replacement" {...replacementProps(rule, input(`${path}.replacement`))} />
      </div>
      <Group justify="space-between" mt="xs">
        <Switch label="Enabled" {...check(`${path}.enabled`)} />
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove pattern ${number}`} onClick={onRemove}>
          <X size={14} />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
