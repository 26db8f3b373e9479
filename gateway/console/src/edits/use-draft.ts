// The draft of a form: @mantine/form holds its values and shows each issue of the API at its field.

import { type GetInputPropsOptions, useForm } from "@mantine/form";
import { useEffect, useState } from "react";
import { issuesByField } from "../api/errors.ts";

/**
 * Fields by the API's path, where their names differ: `{ "prices.inputPerMillion": "input" }`. A path also stands for
 * the longer paths that begin with it and are not listed.
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

/** A field of a draft, or one inside of it, such as `content.0.heading`. */
type FieldPath<Draft> = (keyof Draft & string) | `${keyof Draft & string}.${string}`;

/** The part of a form that its fields need. */
export type DraftInputs<Draft extends object> = ReturnType<typeof useDraft<Draft>>["inputs"];

export function useDraft<Draft extends object>(initial: () => Draft) {
  const [initialValues] = useState(initial);
  // Issues stay until the API has seen the correction.
  const form = useForm<Draft>({ initialValues, clearInputErrorOnChange: false });
  const draft = form.values;
  const set: (change: Partial<Draft>) => void = form.setValues;
  const input = (path: FieldPath<Draft>, options?: GetInputPropsOptions) => form.getInputProps(path, options);
  return {
    draft,
    set,
    setErrors: form.setErrors,
    inputs: {
      draft,
      set,
      errors: form.errors,
      /** Value, error and handler of a field. */
      input,
      check: (path: FieldPath<Draft>) => input(path, { type: "checkbox" }),
      /** Errors keep the place of their item. */
      list: {
        add: (path: FieldPath<Draft>, item: unknown) => form.insertListItem(path, item as never),
        move: (path: FieldPath<Draft>, from: number, to: number) => form.reorderListItem(path, { from, to }),
        remove: (path: FieldPath<Draft>, index: number) => form.removeListItem(path, index),
      },
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
