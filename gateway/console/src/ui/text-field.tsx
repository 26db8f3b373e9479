// Text fields whose `onChange` receives the text instead of the event.

import { Textarea, type TextareaProps, TextInput, type TextInputProps } from "@mantine/core";
import type { Ref } from "react";

interface TextChange {
  readonly onChange: (text: string) => void;
}

type FieldProps = Omit<TextInputProps, "onChange"> & TextChange & { readonly ref?: Ref<HTMLInputElement> };

export function TextField({ onChange, ...props }: FieldProps) {
  return <TextInput {...props} onChange={(event) => onChange(event.currentTarget.value)} />;
}

/** Text area that grows from two to ten lines. */
export function LongTextField({ onChange, ...props }: Omit<TextareaProps, "onChange"> & TextChange) {
  return (
    <Textarea autosize minRows={2} maxRows={10} {...props} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}
