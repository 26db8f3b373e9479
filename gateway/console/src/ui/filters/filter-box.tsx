// Text box that completes names and values of the bar's filters. `/` focuses it.

import { Combobox, TextInput, useCombobox } from "@mantine/core";
import type { ReactNode } from "react";
import { complete } from "./complete.ts";
import { useFilterFields } from "./filter-fields.ts";
import classes from "./filters.module.css";

interface FilterBoxProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly typed: string;
  readonly onType: (text: string) => void;
  /** Called when a completion has set a filter, so that the typed text can be cleared. */
  readonly onChosen: () => void;
  /** True if the box only sets filters and does not search. Enter then chooses the first completion. */
  readonly isFilterOnly?: boolean;
  readonly end?: ReactNode;
}

export function FilterBox({ label, icon, typed, onType, onChosen, isFilterOnly = false, end }: FilterBoxProps) {
  const fields = useFilterFields();
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const completions = complete(fields, typed);
  const choose = (text: string) => {
    const completion = completions.find((each) => each.text === text);
    if (completion === undefined) return;
    if (completion.value === undefined) onType(text);
    else {
      completion.field.choose(completion.value);
      onChosen();
      combobox.closeDropdown();
    }
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} width={280} position="bottom-start">
      <Combobox.Target withExpandedAttribute>
        <TextInput
          size="xs"
          role="combobox"
          aria-autocomplete="list"
          data-search-box
          className={isFilterOnly ? classes.box : classes.search}
          aria-label={label}
          placeholder={label}
          maxLength={200}
          leftSection={icon}
          rightSection={end}
          value={typed}
          onChange={(event) => {
            onType(event.currentTarget.value);
            combobox.openDropdown();
            if (isFilterOnly) combobox.selectFirstOption();
            else combobox.resetSelectedOption();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={completions.length === 0}>
        <Combobox.Options aria-label="Filters" className={classes.completions}>
          {completions.map(({ text }) => (
            <Combobox.Option key={text} value={text}>
              {text}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
