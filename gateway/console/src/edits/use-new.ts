// State of a form that creates or starts something.

import { useRef } from "react";
import { useChange } from "../api/query.ts";
import type { ApiRequest } from "../api/request.ts";
import { forgetUnsaved, hashText } from "./unsaved.ts";
import { type FieldNames, useDraft, useIssues } from "./use-draft.ts";
import { useUnsavedDraft } from "./use-unsaved.ts";

interface NewOptions<Draft, Created> {
  readonly newDraft: () => Draft;
  /** Returns errors by field that only the console can find. While there are any, the draft is not sent. */
  readonly validate?: (draft: Draft) => Readonly<Record<string, string>>;
  readonly create: (draft: Draft) => ApiRequest<Created>;
  readonly refreshes: readonly string[];
  readonly onCreated?: (created: Created, draft: Draft) => void;
  readonly names?: FieldNames;
  /** Fields with secrets, which are not stored while they are unsaved. */
  readonly secrets?: readonly (keyof Draft)[];
  /** True if the same draft can be sent again after a success, such as a trial. */
  readonly isRepeatable?: boolean;
}

export function useNew<Draft extends object, Created>(options: NewOptions<Draft, Created>) {
  const { newDraft, validate, create, refreshes, onCreated, names, secrets, isRepeatable = false } = options;
  const { draft, initialValues, token, set, setErrors, inputs } = useDraft(newDraft);
  const sent = useRef<Draft>(undefined);
  const { mutate, isPending, error, data } = useChange(create, {
    refreshes,
    isForm: !isRepeatable,
    onDone: (created, done) => {
      forgetUnsaved(token);
      onCreated?.(created, done);
    },
  });
  useIssues({ setErrors }, error, names);
  const save = () => {
    const errors = validate?.(draft) ?? {};
    setErrors(errors);
    // Ignore a second click while the form sends, or closes after a success.
    if (Object.keys(errors).length > 0 || sent.current === draft) return;
    if (!isRepeatable) sent.current = draft;
    mutate(draft, {
      onError: () => {
        sent.current = undefined;
      },
    });
  };
  const unsaved = useUnsavedDraft({
    token,
    subject: hashText(JSON.stringify(initialValues)),
    draft,
    saved: initialValues,
    secrets,
    restore: set,
    startOver: () => set(initialValues),
  });
  return {
    ...inputs,
    save,
    isPending,
    error,
    created: data,
    /** Props for the form's `FormModal`. */
    modal: {
      isOpen: true,
      submitLabel: "Create",
      onSubmit: save,
      isSaving: isPending,
      error,
      fields: { errors: inputs.errors, setErrors },
      unsaved,
    },
  };
}
