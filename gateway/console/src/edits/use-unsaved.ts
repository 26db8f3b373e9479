// Keeps the unsaved input of one form while it is open, and restores what an earlier visit left.

import { useEffect, useMemo, useState } from "react";
import type { Base } from "../api/conditional.ts";
import { forgetUnsaved, leaveUnsaved, noteUnsaved, readUnsaved, writeUnsaved } from "./unsaved.ts";

/** Input of an open form, for storage. */
export interface Unsaved {
  /** Identifies the open form. */
  readonly token: object;
  /** Distinguishes forms with the same title on the same page. */
  readonly subject: string;
  readonly isDirty: boolean;
  /** Input to store, as JSON. Contains no secrets. */
  readonly snapshot: unknown;
  /** Fills the form with a stored snapshot. */
  readonly restore: (snapshot: unknown) => void;
  /** Fills the form with its first values. */
  readonly startOver: () => void;
}

/** Delay until typed input is stored. */
const writeMs = 300;

export function useUnsaved(title: string, unsaved: Unsaved | undefined) {
  const [isRestored, setRestored] = useState(false);
  // A dialog stays open when only the search changes, so the path is that of its first render.
  const [pathname] = useState(() => window.location.pathname);
  const { token, subject = "", isDirty = false, snapshot } = unsaved ?? {};
  const key = [pathname, title, subject].join(" ");
  const [first] = useState(unsaved);
  useEffect(() => {
    if (first === undefined) return;
    const stored = readUnsaved([pathname, title, first.subject].join(" "));
    if (stored === undefined) return;
    first.restore(stored);
    setRestored(true);
  }, [first, pathname, title]);
  useEffect(() => {
    if (token === undefined) return;
    if (!isDirty) return forgetUnsaved(token);
    noteUnsaved(token, { key, snapshot });
    const timer = setTimeout(writeUnsaved, writeMs, token);
    return () => clearTimeout(timer);
  }, [token, key, isDirty, snapshot]);
  useEffect(() => (token === undefined ? undefined : () => leaveUnsaved(token)), [token]);
  const startOver = () => {
    if (token !== undefined) forgetUnsaved(token);
    unsaved?.startOver();
    setRestored(false);
  };
  return { isDirty, isRestored: isRestored && isDirty, startOver };
}

interface UnsavedOptions<Draft> {
  readonly token: object;
  readonly subject: string;
  readonly draft: Draft;
  /** Draft that is stored, or that a new form begins with. */
  readonly saved: Draft;
  /** Fields that are not stored, because they are secrets. */
  readonly secrets?: readonly (keyof Draft)[] | undefined;
  readonly etag?: string | undefined;
  readonly restore: (draft: Draft, base: Base<Draft>) => void;
  readonly startOver: () => void;
}

/** Describes the input of a form with this draft. */
export function useUnsavedDraft<Draft extends object>(options: UnsavedOptions<Draft>): Unsaved {
  const { token, subject, draft, saved, secrets = noSecrets, etag, restore, startOver } = options;
  const isDirty = useMemo(() => JSON.stringify(draft) !== JSON.stringify(saved), [draft, saved]);
  const snapshot = useMemo(() => {
    const omitted: readonly PropertyKey[] = secrets;
    const withoutSecrets = (values: Draft) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => !omitted.includes(name)));
    return { draft: withoutSecrets(draft), saved: withoutSecrets(saved), etag };
  }, [draft, saved, etag, secrets]);
  return {
    token,
    subject,
    isDirty,
    snapshot,
    restore: (stored) => {
      const { draft: values = {}, saved: base = {}, etag: version } = stored as Partial<typeof snapshot>;
      // A draft of another build may have other fields.
      const isKnown = [values, base].every((each) => Object.keys(each).every((name) => name in draft));
      if (isKnown) restore({ ...draft, ...values }, { etag: version, draft: { ...saved, ...base } });
    },
    startOver,
  };
}

const noSecrets: readonly never[] = [];

/** Describes input that cannot be stored, such as a file. */
export function useUnstored(isDirty: boolean): Unsaved {
  const [token] = useState(() => ({}));
  const nothing = () => undefined;
  return { token, subject: "", isDirty, snapshot: undefined, restore: nothing, startOver: nothing };
}
