// Editor of a filter. The column's type determines operators and input fields.

import { Button, Group, MultiSelect, NativeSelect, Stack, TagsInput, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { type ColumnType, type Datasource, type Filter, operators } from "./report-search.ts";
import { type SourceColumn, wordsOfOperator } from "./report-words.ts";
import { useValues } from "./use-values.ts";

interface FilterEditorProps {
  readonly source: Datasource;
  readonly columns: readonly SourceColumn[];
  readonly filter: Filter | undefined;
  readonly onDone: (filter: Filter) => void;
}

const inputs: Readonly<Record<string, "date" | "number">> = { date: "date", number: "number" };
/** Returns the operator to start with: a range for dates, otherwise equality. */
const usualOperator = (column: SourceColumn | undefined) => (column?.type === "date" ? "between" : "eq");

export function FilterEditor({ source, columns, filter, onDone }: FilterEditorProps) {
  const [columnId, setColumnId] = useState(filter?.column ?? columns.find(({ id }) => id === "createdAt")?.id ?? "");
  const column = columns.find(({ id }) => id === columnId);
  const [operator, setOperator] = useState<Filter["operator"]>(filter?.operator ?? usualOperator(column));
  const [values, setValues] = useState<string[]>((filter?.value ?? []).map(String));
  const type = (column?.type ?? "string") as ColumnType;
  const needed = operator === "between" ? 2 : 1;
  const entered = type === "string" ? values : values.slice(0, needed).filter((value) => value !== "");
  const isComplete = entered.length >= (type === "string" ? 1 : needed);
  const choose = (id: string) => {
    const next = columns.find((candidate) => candidate.id === id);
    setColumnId(id);
    setOperator(usualOperator(next));
    setValues(next?.type === "boolean" ? ["true"] : []);
  };
  const set = (index: number, value: string) => setValues(Object.assign(["", ""], values, { [index]: value }));
  const typed = (value: string) => (type === "number" ? Number(value) : type === "boolean" ? value === "true" : value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onDone({ type, column: columnId, operator, value: entered.map(typed) });
      }}
    >
      <Stack gap="xs">
        <NativeSelect
          size="xs"
          label="Column"
          data={columns.map(({ id, name }) => ({ value: id, label: name }))}
          value={columnId}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          label="Condition"
          data={operators
            .filter((name) => column?.operators.includes(name))
            .map((name) => ({ value: name, label: wordsOfOperator(name, type) }))}
          value={operator}
          onChange={(event) => setOperator(event.currentTarget.value as Filter["operator"])}
        />
        {type === "string" && column !== undefined && (
          <Texts source={source} column={column} values={values} onChange={setValues} />
        )}
        {type === "boolean" && (
          <NativeSelect
            size="xs"
            label="Value"
            data={[
              { value: "true", label: "Yes" },
              { value: "false", label: "No" },
            ]}
            value={values[0] ?? "true"}
            onChange={(event) => setValues([event.currentTarget.value])}
          />
        )}
        {inputs[type] !== undefined &&
          Array.from({ length: needed }, (_, index) => index).map((index) => (
            <TextInput
              key={index}
              size="xs"
              type={inputs[type] ?? "text"}
              {...(type === "number" && { step: "any" })}
              label={needed === 1 ? "Value" : index === 0 ? "From" : "To (included)"}
              value={values[index] ?? ""}
              onChange={(event) => set(index, event.currentTarget.value)}
            />
          ))}
        <Group justify="flex-end">
          <Button type="submit" disabled={!isComplete}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TextsProps {
  readonly source: Datasource;
  readonly column: SourceColumn;
  readonly values: string[];
  readonly onChange: (values: string[]) => void;
}

/** Input for text values. References and enumerations must be chosen from a list; other texts may also be typed. */
function Texts({ source, column, values, onChange }: TextsProps) {
  const completions = useValues(source, column);
  const [isOpen, { open, close }] = useDisclosure();
  const added = values.filter((value) => completions.every((completion) => completion.value !== value));
  const usual = {
    size: "xs",
    label: "Values",
    value: values,
    onChange,
    clearable: true,
    maxDropdownHeight: 200,
    comboboxProps: { withinPortal: false },
    // Close the list after a choice, because it covers the button below.
    dropdownOpened: isOpen,
    onDropdownOpen: open,
    onDropdownClose: close,
    onOptionSubmit: close,
  } as const;
  if (column.isReference || column.isFilterOnly || column.values.length > 0) {
    const data = [...completions, ...added.map((value) => ({ value, label: value }))];
    return <MultiSelect {...usual} searchable nothingFoundMessage="Nothing found" data={data} />;
  }
  return <TagsInput {...usual} splitChars={[]} acceptValueOnBlur data={completions.map(({ value }) => value)} />;
}
