// The draft of a form: @mantine/form holds its values, and shows the API's issues at the fields that they are about.

import { type GetInputPropsOptions, useForm } from "@mantine/form";
import { useEffect, useState } from "react";
import { issuesByField } from "../api/errors.ts";

/** Fields by the API's path, where their names differ: `{ "prices.inputPerMillion": "input" }`. */
export type FieldNames = Readonly<Record<string, string>>;

const sameNames: FieldNames = {};

export function errorsByField(error: unknown, names: FieldNames = sameNames): Record<string, string> {
  const issues = Object.entries(issuesByField(error));
  return Object.fromEntries(issues.map(([path, message]) => [names[path] ?? path, message]));
}

export function useDraft<Draft extends object>(initial: () => Draft) {
  const [initialValues] = useState(initial);
  // Issues stay until the API has seen the correction.
  const form = useForm<Draft>({ initialValues, clearInputErrorOnChange: false });
  const input = (name: keyof Draft & string, options?: GetInputPropsOptions) => form.getInputProps(name, options);
  return {
    draft: form.values,
    set: (change: Partial<Draft>) => form.setValues(change),
    setErrors: form.setErrors,
    inputs: {
      errors: form.errors,
      /** Value, error and handler of a field. */
      input,
      check: (name: keyof Draft & string) => input(name, { type: "checkbox" }),
    },
  };
}

/** Shows the issues of a failed request. */
export function useIssues(
  { setErrors }: Pick<ReturnType<typeof useDraft>, "setErrors">,
  error: unknown,
  names?: FieldNames,
) {
  useEffect(() => setErrors(errorsByField(error, names)), [setErrors, error, names]);
}
