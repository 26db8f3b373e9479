// Fields that choose one or several resources. The API finds them while a person types.

import { type ComboboxItem, MultiSelect, type MultiSelectProps, Select, type SelectProps } from "@mantine/core";
import { useState } from "react";
import { count } from "../format.ts";
import { describeRest, type Source } from "./found.ts";

interface PickerProps extends Omit<SelectProps, "data" | "filter" | "searchable"> {
  readonly source: Source;
  readonly value?: string | null;
}

export function Picker({ source: useFound, value = null, ...props }: PickerProps) {
  const [typed, setTyped] = useState("");
  const [label, setLabel] = useState<string>();
  // The field shows the label of the value, which is no text to search for.
  const found = useFound(typed === label ? "" : typed, value === null ? [] : [value]);
  const current = found.choices.find((choice) => choice.value === value)?.label;
  if (current !== label) setLabel(current);
  return (
    <Select
      nothingFoundMessage="Nothing found"
      {...props}
      value={value}
      searchable
      data={withHint(found.choices, describeRest(found, count))}
      filter={asGiven}
      onSearchChange={setTyped}
    />
  );
}

interface MultiPickerProps extends Omit<MultiSelectProps, "data" | "filter" | "searchable"> {
  readonly source: Source;
  readonly value?: string[];
  /** Ids that are no choices. */
  readonly without?: readonly string[];
}

export function MultiPicker({ source: useFound, value = [], without = [], ...props }: MultiPickerProps) {
  const [typed, setTyped] = useState("");
  const found = useFound(typed, value);
  const choices = found.choices.filter((choice) => !without.includes(choice.value));
  return (
    <MultiSelect
      nothingFoundMessage="Nothing found"
      {...props}
      value={value}
      searchable
      data={withHint(choices, describeRest(found, count))}
      filter={asGiven}
      onSearchChange={setTyped}
    />
  );
}

/** The API has filtered already. */
const asGiven: NonNullable<SelectProps["filter"]> = ({ options }) => options;

const withHint = (choices: readonly ComboboxItem[], hint: string | undefined): ComboboxItem[] =>
  hint === undefined ? [...choices] : [...choices, { value: "\0", label: hint, disabled: true }];
