import { Checkbox, Stack } from "@mantine/core";
import { TextField } from "../ui/text-field.tsx";
import classes from "./redaction.module.css";
import { replacementProps } from "./replacement-props.ts";
import { aboutBuiltIn, builtInRows, type Rule, toggleBuiltIn } from "./rules.ts";

export interface RuleFieldsProps {
  readonly rules: readonly Rule[];
  readonly issues: Readonly<Record<string, string>>;
  /** Whether there may be no more rules. */
  readonly isFull: boolean;
  readonly onChange: (rules: readonly Rule[]) => void;
}

export function BuiltInPatterns({ rules, issues, isFull, onChange }: RuleFieldsProps) {
  return (
    <Stack gap="sm">
      {builtInRows(rules).map((row) => {
        const rule = rules[row.index];
        const { label: plain, finds } = aboutBuiltIn[row.builtIn];
        const label = rule === undefined || rule.name === row.builtIn ? plain : `${plain} (${rule.name})`;
        return (
          <div key={`${row.builtIn} ${rule?.name}`} className={classes.builtIn}>
            <Checkbox
              label={label}
              description={finds}
              checked={rule?.enabled ?? false}
              disabled={rule === undefined && isFull}
              error={issues[`redactions.${row.index}.name`] ?? issues[`redactions.${row.index}`]}
              onChange={() => onChange(toggleBuiltIn(rules, row))}
            />
            {rule?.enabled && (
              <TextField
                aria-label={`Replacement of ${label}`}
                error={issues[`redactions.${row.index}.replacement`]}
                {...replacementProps(rule, (change) => onChange(rules.with(row.index, { ...rule, ...change })))}
              />
            )}
          </div>
        );
      })}
    </Stack>
  );
}
