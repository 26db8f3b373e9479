// Edits one stored resource, with a form's draft or with a choice that is saved immediately.

import { useRef, useState } from "react";
import { type Base, EditConflict, type Loaded, useConditionalChange } from "../api/conditional.ts";
import { useChange } from "../api/query.ts";
import type { ApiRequest, ConditionalRequest } from "../api/request.ts";
import { type FieldDifference, type Fields, findDifferences, isClash } from "./fields.ts";
import { forgetUnsaved, hashText } from "./unsaved.ts";
import { type FieldNames, useDraft, useIssues } from "./use-draft.ts";
import { useUnsavedDraft } from "./use-unsaved.ts";

interface EditOptions<Body, Draft, Data> {
  readonly toDraft: (body: Body) => Draft;
  readonly fields: Fields<Draft>;
  readonly makeRequest: (draft: Draft, body: Body) => ConditionalRequest<Data>;
  readonly refreshes: readonly string[];
}

/** Content of the conflict dialog, and its choices. */
export interface ConflictView {
  readonly differences: readonly FieldDifference[];
  readonly isDeleted: boolean;
  readonly changedAt: string | undefined;
  readonly isSaving: boolean;
  readonly keepMine: () => void;
  /** Takes the other person's version. Undefined if the resource was deleted. */
  readonly takeTheirs: (() => void) | undefined;
  readonly close: () => void;
}

/** Draft to swap with the form's: the one that "Take theirs" replaced, or after a swap the other person's. */
export interface SetAside {
  readonly isMine: boolean;
  readonly swap: () => void;
}

/** State of an edit, for display in its form. */
export interface EditView {
  readonly conflict: ConflictView | undefined;
  readonly setAside: SetAside | undefined;
}

type FormOptions<Body, Draft, Data, Created> = EditOptions<Body, Draft, Data> & {
  /** Converts the API's response to a draft. Needed if the API changes the values before it stores them. */
  readonly storedDraft?: (data: Data) => Draft;
  readonly onSaved?: (data: Data) => void;
  readonly names?: FieldNames;
  /** Fields with secrets, which are not stored while they are unsaved. */
  readonly secrets?: readonly (keyof Draft)[];
} & (
    | { readonly loaded: Loaded<Body>; readonly newDraft?: undefined }
    /** Options of a form that creates a resource if no version is loaded. */
    | {
        readonly loaded: Loaded<Body> | undefined;
        readonly newDraft: () => Draft;
        readonly create: (draft: Draft) => ApiRequest<Created>;
        readonly onCreated: (created: Created) => void;
      }
  );

/** Holds a form's draft. Saves it in place of the version with which the form was opened. */
export function useEdit<Body, Draft extends object, Data, Created = never>(
  options: FormOptions<Body, Draft, Data, Created>,
) {
  const { toDraft, storedDraft, onSaved, names, secrets } = options;
  // Keep the version from when the form opened, because a later version must not become the draft's base.
  const [opened] = useState(options.loaded);
  const { draft, token, set, setErrors, inputs } = useDraft<Draft>(() =>
    options.newDraft !== undefined && opened === undefined ? options.newDraft() : toDraft(getBody(opened)),
  );
  const [base, setBase] = useState<Base<Draft>>({ etag: opened?.etag, draft });
  const [aside, setAside] = useState<{ readonly draft: Draft; readonly isMine: boolean }>();
  const { change, conflict } = useConflictingChange({
    ...options,
    loaded: opened,
    isForm: true,
    onSaved: (saved: { readonly body: Data; readonly etag: string | undefined }, mine) => {
      forgetUnsaved(token);
      const stored = storedDraft?.(saved.body);
      if (stored !== undefined) set(stored);
      setBase({ etag: saved.etag, draft: stored ?? mine });
      setAside(undefined);
      onSaved?.(saved.body);
    },
    onKeep: setBase,
    onTake: (theirs) => {
      setAside({ draft, isMine: true });
      set(theirs.draft);
      setBase(theirs);
    },
  });
  const creation = useChange((mine: Draft) => getCreate(options)(mine), {
    refreshes: options.refreshes,
    isForm: true,
    onDone: (created) => {
      forgetUnsaved(token);
      if (options.newDraft !== undefined) options.onCreated(created);
    },
  });
  const isNew = opened === undefined;
  const { isPending, error } = isNew ? creation : change;
  useIssues({ setErrors }, error, names);
  const sent = useRef<Draft>(undefined);
  const onError = () => {
    sent.current = undefined;
  };
  const save = () => {
    // Ignore a second click while the form sends, or closes after a success.
    if (sent.current === draft) return;
    sent.current = draft;
    if (isNew) creation.mutate(draft, { onError });
    else change.mutate({ mine: draft, base }, { onSettled: onError });
  };
  const view: EditView = {
    conflict,
    setAside: aside && {
      isMine: aside.isMine,
      swap: () => {
        setAside({ draft, isMine: !aside.isMine });
        set(aside.draft);
      },
    },
  };
  const unsaved = useUnsavedDraft({
    token,
    subject: opened === undefined ? "" : hashText(JSON.stringify(opened.request)),
    draft,
    saved: base.draft,
    secrets,
    etag: base.etag,
    restore: (restored, stored) => {
      set(restored);
      if (!isNew) setBase(stored);
    },
    startOver: () => set(base.draft),
  });
  return {
    ...inputs,
    setErrors,
    save,
    isPending,
    /** True after a save, while the draft equals the saved version. */
    isSaved: change.isSuccess && JSON.stringify(draft) === JSON.stringify(base.draft),
    error,
    reset: change.reset,
    view,
    /** Props for the form's `FormModal`. */
    modal: {
      isOpen: true,
      submitLabel: isNew ? "Create" : "Save",
      onSubmit: save,
      isSaving: isPending,
      error,
      edit: view,
      fields: { errors: inputs.errors, setErrors },
      unsaved,
    },
  };
}

function getCreate<Body, Draft, Data, Created>(options: FormOptions<Body, Draft, Data, Created>) {
  if (options.newDraft === undefined) throw new Error("The form has no request that creates a resource.");
  return options.create;
}

function getBody<Body>(opened: Loaded<Body> | undefined): Body {
  if (opened === undefined) throw new Error("The form has neither a loaded version nor a new draft.");
  return opened.body;
}

interface ChoiceOptions<Body, Draft, Data> extends EditOptions<Body, Draft, Data> {
  /** Version that the page shows. Undefined while it loads. */
  readonly loaded: Loaded<Body> | undefined;
  readonly onSaved?: (data: Data) => void;
}

/** Saves a choice, such as a status, immediately. It conflicts only with another person's change of the same choice. */
export function useChoice<Body, Draft, Data>(options: ChoiceOptions<Body, Draft, Data>) {
  const { loaded, toDraft, onSaved } = options;
  const { change, conflict } = useConflictingChange({
    ...options,
    onSaved: ({ body }: { readonly body: Data }) => onSaved?.(body),
    onKeep: () => undefined,
    onTake: () => undefined,
  });
  const choose = (mine: Draft) => {
    if (loaded !== undefined) change.mutate({ mine, base: { etag: loaded.etag, draft: toDraft(loaded.body) } });
  };
  return { choose, conflict, isPending: change.isPending, error: change.error };
}

interface ConflictingOptions<Body, Draft, Data> extends EditOptions<Body, Draft, Data> {
  readonly loaded: Loaded<Body> | undefined;
  readonly onSaved: (saved: { readonly body: Data; readonly etag: string | undefined }, mine: Draft) => void;
  /** Called with the new base before the draft is resent. */
  readonly onKeep: (theirs: Base<Draft>) => void;
  readonly onTake: (theirs: Base<Draft>) => void;
  readonly isForm?: boolean;
}

function useConflictingChange<Body, Draft, Data>(options: ConflictingOptions<Body, Draft, Data>) {
  const { fields, onSaved, onKeep, onTake } = options;
  const [found, setFound] = useState<EditConflict<Draft>>();
  const change = useConditionalChange({
    ...options,
    isClash: (base, mine, theirs) => isClash(fields, base, mine, theirs),
    onSaved: (saved, mine: Draft) => {
      setFound(undefined);
      onSaved(saved, mine);
    },
    onError: (error) => setFound(error instanceof EditConflict ? error : undefined),
  });
  const conflict: ConflictView | undefined = found && {
    differences:
      found.theirs === undefined
        ? []
        : findDifferences(fields, found.attempt.base.draft, found.attempt.mine, found.theirs.draft),
    isDeleted: found.theirs === undefined,
    changedAt: found.theirs?.changedAt,
    isSaving: change.isPending,
    keepMine: () => {
      // Without an ETag, resending recreates a deleted schedule. For other deleted resources it fails as not found.
      const base = found.theirs ?? { ...found.attempt.base, etag: undefined };
      onKeep(base);
      change.mutate({ mine: found.attempt.mine, base });
    },
    takeTheirs:
      found.theirs &&
      (() => {
        if (found.theirs !== undefined) onTake(found.theirs);
        change.reset();
        setFound(undefined);
      }),
    close: () => setFound(undefined),
  };
  return { change, conflict };
}
