// A filter by one value out of a few, such as yes or no.

import { Button, Menu } from "@mantine/core";
import { Check, ChevronDown } from "lucide-react";
import type { Choice } from "./choice-filter.tsx";
import { useFilterField } from "./filter-fields.ts";
import classes from "./filters.module.css";

interface SingleFilterProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Choice<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

export function SingleFilter<Value extends string>({ label, options, value, onChange }: SingleFilterProps<Value>) {
  const active = options.find((option) => option.value === value);
  const choose = (next: string) => onChange(next as Value);
  useFilterField({ label, options, chosen: value === undefined ? [] : [value], choose });
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
          {active !== undefined && <span className={classes.chosen}>{active.label}</span>}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <Menu.Item
          onClick={() => onChange(undefined)}
          leftSection={active === undefined ? <Check size={12} /> : <span className={classes.blank} />}
        >
          Any
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
