// Filter for choosing several of many values: a button that opens a list of the values.

import { Button, Checkbox, Popover, ScrollArea, Stack, Text } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { words } from "../format.ts";
import { TextField } from "../text-field.tsx";
import { useFilterField } from "./filter-fields.ts";
import classes from "./filters.module.css";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export const choices = <const Value extends string>(values: readonly Value[]): Choice<Value>[] =>
  values.map((value) => ({ value, label: words(value) }));

interface ChoiceFilterProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Choice<Value>[];
  readonly value: readonly Value[] | undefined;
  /** Typed text, if the API finds the options. */
  readonly typed?: string;
  readonly onType?: (typed: string) => void;
  /** Says that there are more options than displayed. */
  readonly rest?: string | undefined;
  readonly onChange: (value: Value[] | undefined) => void;
}

const searchableFrom = 9;

export function ChoiceFilter<Value extends string>(props: ChoiceFilterProps<Value>) {
  const { label, options, value, rest, onType, onChange } = props;
  const [ownTyped, setOwnTyped] = useState("");
  const typed = props.typed ?? ownTyped;
  const setTyped = onType ?? setOwnTyped;
  const chosen = value ?? [];
  const choose = (next: string) => onChange([...chosen, next as Value]);
  useFilterField({ label, options, chosen, choose });
  const isFound = (option: Choice<Value>) => option.label.toLowerCase().includes(typed.toLowerCase());
  const found = onType === undefined ? options.filter(isFound) : options;
  const summary =
    chosen.length === 1 ? (options.find((option) => option.value === chosen[0])?.label ?? "1") : chosen.length;
  return (
    <Popover trapFocus returnFocus position="bottom-start" onClose={() => setTyped("")}>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.filter}
          data-active={chosen.length > 0 || undefined}
          rightSection={<ChevronDown size={12} />}
        >
          {label}
          {chosen.length > 0 && <span className={classes.chosen}>{summary}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} miw={200} className={classes.choices}>
        <Stack gap={8}>
          {(options.length >= searchableFrom || typed !== "") && (
            <TextField
              size="xs"
              aria-label={`Find in ${label}`}
              placeholder="Find…"
              value={typed}
              onChange={setTyped}
            />
          )}
          <ScrollArea.Autosize mah={280} type="auto">
            <Checkbox.Group
              aria-label={label}
              value={[...chosen]}
              onChange={(next) => onChange(next.length === 0 ? undefined : (next as Value[]))}
            >
              <Stack gap={8} p={2}>
                {found.map((option) => (
                  <Checkbox
                    key={option.value}
                    size="xs"
                    value={option.value}
                    label={<span dir="auto">{option.label}</span>}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            {rest !== undefined && (
              <Text size="xs" c="dimmed" mt={8} role="status">
                {rest}
              </Text>
            )}
            {found.length === 0 && (
              <Text size="xs" c="dimmed">
                No options
              </Text>
            )}
          </ScrollArea.Autosize>
          {chosen.length > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={() => onChange(undefined)}>
              Clear
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
