// State of a form that creates or starts something.

import { useChange } from "../api/query.ts";
import type { ApiRequest } from "../api/request.ts";
import { type FieldNames, useDraft, useIssues } from "./use-draft.ts";

interface NewOptions<Draft, Created> {
  readonly newDraft: () => Draft;
  /** Returns errors by field that only the console can find. While there are any, the draft is not sent. */
  readonly validate?: (draft: Draft) => Readonly<Record<string, string>>;
  readonly create: (draft: Draft) => ApiRequest<Created>;
  readonly refreshes: readonly string[];
  readonly onCreated?: (created: Created, draft: Draft) => void;
  readonly names?: FieldNames;
}

export function useNew<Draft extends object, Created>(options: NewOptions<Draft, Created>) {
  const { newDraft, validate, create, refreshes, onCreated, names } = options;
  const { draft, setErrors, inputs } = useDraft(newDraft);
  const { mutate, isPending, error, data } = useChange(create, {
    refreshes,
    onDone: (created, sent) => onCreated?.(created, sent),
  });
  useIssues({ setErrors }, error, names);
  const save = () => {
    const errors = validate?.(draft) ?? {};
    setErrors(errors);
    if (Object.keys(errors).length === 0) mutate(draft);
  };
  return {
    ...inputs,
    save,
    isPending,
    error,
    created: data,
    /** Props for the form's `FormModal`. */
    modal: { isOpen: true, submitLabel: "Create", onSubmit: save, isSaving: isPending, error },
  };
}
