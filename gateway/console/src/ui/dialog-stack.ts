// Open dialogs in the order of their opening. Only the topmost one handles Escape, clicks outside and focus.

import { useEffect, useState, useSyncExternalStore } from "react";

const open: object[] = [];
const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Registers a dialog while it is open. Returns true if another dialog was opened above it. */
export function useIsCovered(isOpen: boolean): boolean {
  const [dialog] = useState(() => ({}));
  useEffect(() => {
    if (!isOpen) return;
    open.push(dialog);
    notify();
    return () => {
      open.splice(open.indexOf(dialog), 1);
      notify();
    };
  }, [dialog, isOpen]);
  return useSyncExternalStore(subscribe, () => open.includes(dialog) && open.at(-1) !== dialog);
}
