import { Checkbox, Stack } from "@mantine/core";
import type { DraftInputs } from "../edits/use-draft.ts";
import { TextField } from "../ui/text-field.tsx";
import classes from "./redaction.module.css";
import { replacementProps } from "./replacement-props.ts";
import { aboutBuiltIn, builtInRows, type Rule, type RulesDraft, toggleBuiltIn } from "./rules.ts";

export interface RuleFieldsProps {
  readonly form: DraftInputs<RulesDraft>;
  /** True if the application has the maximum number of rules. */
  readonly isFull: boolean;
  /** Called with the rules after a rule was added or removed. */
  readonly onRules: (rules: readonly Rule[]) => void;
}

export function BuiltInPatterns({ form: { draft, errors, input }, isFull, onRules }: RuleFieldsProps) {
  const rules = draft.redactions;
  return (
    <Stack gap="sm">
      {builtInRows(rules).map((row) => {
        const rule = rules[row.index];
        const path = `redactions.${row.index}` as const;
        const { label: plain, finds } = aboutBuiltIn[row.builtIn];
        const label = rule === undefined || rule.name === row.builtIn ? plain : `${plain} (${rule.name})`;
        return (
          <div key={`${row.builtIn} ${rule?.name}`} className={classes.builtIn}>
            <Checkbox
              label={label}
              description={finds}
              checked={rule?.enabled ?? false}
              disabled={rule === undefined && isFull}
              error={errors[`${path}.name`] ?? errors[path]}
              onChange={() => onRules(toggleBuiltIn(rules, row))}
            />
            {rule?.enabled && (
              <TextField
                aria-label={`Replacement of ${label}`}
                {...replacementProps(rule, input(`${path}.replacement`))}
              />
            )}
          </div>
        );
      })}
    </Stack>
  );
}
