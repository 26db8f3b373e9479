// Filter for choosing one of a few values, such as yes or no.

import { Button, Menu } from "@mantine/core";
import { Check, ChevronDown } from "lucide-react";
import type { Choice } from "./choice-filter.tsx";
import { useFilterField } from "./filter-fields.ts";
import classes from "./filters.module.css";

interface SingleFilterProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Choice<Value>[];
  readonly value: Value | undefined;
  /** Label of the option that sets no value. Default: Any. */
  readonly unset?: string;
  readonly onChange: (value: Value | undefined) => void;
}

export function SingleFilter<Value extends string>(props: SingleFilterProps<Value>) {
  const { label, options, value, unset, onChange } = props;
  const active = options.find((option) => option.value === value);
  const choose = (next: string) => onChange(next as Value);
  useFilterField({ label, options, chosen: value === undefined ? [] : [value], choose });
  const chosen = active?.label ?? unset;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          className={classes.filter}
          data-active={active !== undefined || undefined}
          rightSection={<ChevronDown size={12} />}
        >
          {label}
          {chosen !== undefined && <span className={classes.chosen}>{chosen}</span>}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label} className={classes.menu}>
        <Menu.Item
          onClick={() => onChange(undefined)}
          leftSection={active === undefined ? <Check size={12} /> : <span className={classes.blank} />}
        >
          {unset ?? "Any"}
        </Menu.Item>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            onClick={() => onChange(option.value)}
            leftSection={option.value === value ? <Check size={12} /> : <span className={classes.blank} />}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const flags = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
] as const;

interface FlagFilterProps {
  readonly label: string;
  readonly value: boolean | undefined;
  readonly onChange: (value: boolean | undefined) => void;
}

export function FlagFilter({ label, value, onChange }: FlagFilterProps) {
  return (
    <SingleFilter
      label={label}
      options={flags}
      value={value === undefined ? undefined : value ? "true" : "false"}
      onChange={(next) => onChange(next === undefined ? undefined : next === "true")}
    />
  );
}
