import { ActionIcon, Button, Group, Paper, Stack, Switch, Text } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { TextField } from "../ui/text-field.tsx";
import type { RuleFieldsProps } from "./built-in-patterns.tsx";
import classes from "./redaction.module.css";
import { replacementProps } from "./replacement-props.ts";
import { newRule, type Rule } from "./rules.ts";

export function OwnPatterns({ rules, issues, isFull, onChange }: RuleFieldsProps) {
  const indexes = [...rules.keys()].filter((index) => rules[index]?.builtIn === null);
  return (
    <Stack gap="sm">
      {indexes.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet: for example K-\d&#123;6&#125; for numbers of customers.
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
              issueOf={(field) => issues[`redactions.${index}.${field}`]}
              onChange={(change) => onChange(rules.with(index, { ...rule, ...change }))}
              onRemove={() => onChange(rules.toSpliced(index, 1))}
            />
          )
        );
      })}
      <Button
        variant="default"
        leftSection={<Plus size={14} />}
        style={{ alignSelf: "flex-start" }}
        disabled={isFull}
        onClick={() => onChange([...rules, newRule])}
      >
        Add a pattern
      </Button>
    </Stack>
  );
}

interface OwnPatternProps {
  readonly rule: Rule;
  readonly number: number;
  readonly issueOf: (field: "name" | "pattern" | "replacement") => string | undefined;
  readonly onChange: (change: Partial<Rule>) => void;
  readonly onRemove: () => void;
}

function OwnPattern({ rule, number, issueOf, onChange, onRemove }: OwnPatternProps) {
  return (
    <Paper withBorder p="sm" m={0} component="fieldset" aria-label={`Pattern ${number}`}>
      <div className={classes.own}>
        <TextField
          label="Name"
          required
          value={rule.name}
          error={issueOf("name")}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          label="Pattern"
          required
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={rule.pattern}
          error={issueOf("pattern")}
          onChange={(pattern) => onChange({ pattern })}
        />
        <TextField label="Replacement" error={issueOf("replacement")} {...replacementProps(rule, onChange)} />
      </div>
      <Group justify="space-between" mt="xs">
        <Switch
          label="Enabled"
          checked={rule.enabled}
          onChange={(event) => onChange({ enabled: event.currentTarget.checked })}
        />
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove pattern ${number}`} onClick={onRemove}>
          <X size={14} />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
