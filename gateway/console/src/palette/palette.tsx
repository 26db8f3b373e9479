// The command palette, whose code is loaded in a quiet moment, or when it is opened. What is typed meanwhile is in its box.

import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useState } from "react";
import { boxId, nothingTyped, type Typing, typedAhead } from "./typing.ts";

const loadDialog = () => import("./palette-dialog.tsx");
const PaletteDialog = lazy(loadDialog);

interface PaletteProps {
  /** Counts, so that each opening is one also after the palette has closed itself. */
  readonly opening: number;
}

export function Palette({ opening }: PaletteProps) {
  const [typing, setTyping] = useState<Typing>(nothingTyped);
  const [isWaiting, setWaiting] = useState(false);
  const [isNeeded, setNeeded] = useState(false);
  // Before the next key: other effects run when the browser has time.
  useLayoutEffect(() => {
    if (opening === 0 || document.activeElement?.id === boxId) return;
    setNeeded(true);
    setWaiting(true);
    setTyping(nothingTyped);
  }, [opening]);
  const stopWaiting = useCallback(() => setWaiting(false), []);
  const cancel = useCallback(() => {
    setWaiting(false);
    setNeeded(false);
  }, []);
  useTypedAhead(isWaiting, setTyping, cancel);
  usePreload();
  if (!isNeeded) return null;
  return (
    <Suspense>
      <PaletteDialog opening={opening} typing={typing} onTyping={setTyping} onSteady={stopWaiting} />
    </Suspense>
  );
}

/** Keys go to the palette from its opening on, until its box has the focus. */
function useTypedAhead(
  isWaiting: boolean,
  onTyping: (change: (before: Typing) => Typing) => void,
  onEscape: () => void,
) {
  useLayoutEffect(() => {
    if (!isWaiting) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") return onEscape();
      if (typedAhead(nothingTyped, event) === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      onTyping((before) => typedAhead(before, event) ?? before);
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [isWaiting, onTyping, onEscape]);
}

const quietMs = 3_000;

function usePreload(): void {
  useEffect(() => {
    // A file that is missed here is asked for again when it is needed.
    const timer = setTimeout(() => void loadDialog().catch(() => undefined), quietMs);
    return () => clearTimeout(timer);
  }, []);
}
