// Field for a calendar date. While a person types, browsers report dates such as 0002-11-05, so the date is taken when
// it is complete: at a year from 1970 on, by Enter, or when the field is left.

import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { isCompleteDay } from "../url/day-range.ts";

interface DateFieldProps extends Omit<TextInputProps, "value" | "onChange" | "type"> {
  readonly value: string | undefined;
  readonly onChange: (date: string | undefined) => void;
}

export function DateField({ value, onChange, ...props }: DateFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [before, setBefore] = useState(value);
  // Another control, such as a button for seven days, has changed the date.
  if (value !== before) {
    setBefore(value);
    if (value !== typed) setTyped(undefined);
  }
  const choose = (text: string) => {
    const date = text === "" ? undefined : text;
    if (date !== value && (date === undefined || isCompleteDay(date))) onChange(date);
  };
  return (
    <TextInput
      {...props}
      type="date"
      value={typed ?? value ?? ""}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        // An incomplete date is reported as empty, which removes the filter only when the field is left.
        if (currentTarget.value !== "") choose(currentTarget.value);
      }}
      onKeyDown={(event) => event.key === "Enter" && choose(event.currentTarget.value)}
      onBlur={({ currentTarget }) => {
        if (!currentTarget.validity.badInput) choose(currentTarget.value);
        setTyped(undefined);
      }}
    />
  );
}
