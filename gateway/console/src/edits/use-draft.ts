// Draft of a form. @mantine/form holds its values and shows each of the API's issues at its field.

import { type GetInputPropsOptions, useForm } from "@mantine/form";
import { useEffect, useState } from "react";
import { issuesByField } from "../api/errors.ts";

/**
 * Maps paths of API issues to fields whose names differ: `{ "prices.inputPerMillion": "input" }`. A path also covers
 * unlisted longer paths that begin with it.
 */
export type FieldNames = Readonly<Record<string, string>>;

const sameNames: FieldNames = {};

export function errorsByField(error: unknown, names: FieldNames = sameNames): Record<string, string> {
  const issues = Object.entries(issuesByField(error));
  return Object.fromEntries(issues.map(([path, message]) => [findField(path, names), message]));
}

function findField(path: string, names: FieldNames): string {
  const parts = path.split(".");
  const prefixes = parts.map((_, at) => parts.slice(0, parts.length - at).join("."));
  return prefixes.map((prefix) => names[prefix]).find((name) => name !== undefined) ?? path;
}

/** Path of a field in a draft, or of a nested field, such as `content.0.heading`. */
type FieldPath<Draft> = (keyof Draft & string) | `${keyof Draft & string}.${string}`;

/** Part of a form's state that the form's fields need. */
export type DraftInputs<Draft extends object> = ReturnType<typeof useDraft<Draft>>["inputs"];

export function useDraft<Draft extends object>(initial: () => Draft) {
  const [initialValues] = useState(initial);
  // Keep issues until the API has accepted the corrected value.
  const form = useForm<Draft>({ initialValues, clearInputErrorOnChange: false });
  const [token] = useState(() => ({}));
  const draft = form.values;
  const set: (change: Partial<Draft>) => void = form.setValues;
  const input = (path: FieldPath<Draft>, options?: GetInputPropsOptions) => form.getInputProps(path, options);
  return {
    draft,
    initialValues,
    /** Identifies the open form. */
    token,
    set,
    setErrors: form.setErrors,
    inputs: {
      draft,
      set,
      errors: form.errors,
      /** Returns value, error and change handler of a field. */
      input,
      check: (path: FieldPath<Draft>) => input(path, { type: "checkbox" }),
      /** Changes lists. An item's error moves with the item. */
      list: {
        add: (path: FieldPath<Draft>, item: unknown) => form.insertListItem(path, item as never),
        move: (path: FieldPath<Draft>, from: number, to: number) => form.reorderListItem(path, { from, to }),
        remove: (path: FieldPath<Draft>, index: number) => form.removeListItem(path, index),
      },
    },
  };
}

/** Shows the issues of a failed request at their fields. */
export function useIssues(
  { setErrors }: { readonly setErrors: (errors: Record<string, string>) => void },
  error: unknown,
  names?: FieldNames,
) {
  useEffect(() => setErrors(errorsByField(error, names)), [setErrors, error, names]);
}
