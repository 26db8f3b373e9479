// A form that creates something, or starts something.

import { useChange } from "../api/query.ts";
import type { ApiRequest } from "../api/request.ts";
import { type FieldNames, useDraft, useIssues } from "./use-draft.ts";

interface NewOptions<Draft, Created> {
  readonly newDraft: () => Draft;
  readonly create: (draft: Draft) => ApiRequest<Created>;
  readonly refreshes: readonly string[];
  readonly onCreated?: (created: Created, draft: Draft) => void;
  readonly names?: FieldNames;
}

export function useNew<Draft extends object, Created>(options: NewOptions<Draft, Created>) {
  const { newDraft, create, refreshes, onCreated, names } = options;
  const { draft, set, setErrors, inputs } = useDraft(newDraft);
  const { mutate, isPending, error, data } = useChange(create, {
    refreshes,
    onDone: (created, sent) => onCreated?.(created, sent),
  });
  useIssues({ setErrors }, error, names);
  return {
    ...inputs,
    draft,
    set,
    created: data,
    /** Props of its `FormModal`. */
    modal: { isOpen: true, submitLabel: "Create", onSubmit: () => mutate(draft), isSaving: isPending, error },
  };
}
