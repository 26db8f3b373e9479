// Command palette. Its code is loaded when the browser is idle or on first use; keys typed meanwhile appear in the
// search box.

import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useState } from "react";
import { boxId, nothingTyped, type Typing, typedAhead } from "./typing.ts";

const loadDialog = () => import("./palette-dialog.tsx");
const PaletteDialog = lazy(loadDialog);

interface PaletteProps {
  /** Counter. Each increment opens the palette, even if the palette has closed itself. */
  readonly opening: number;
}

export function Palette({ opening }: PaletteProps) {
  const [typing, setTyping] = useState<Typing>(nothingTyped);
  const [isWaiting, setWaiting] = useState(false);
  const [isNeeded, setNeeded] = useState(false);
  // Use a layout effect, because it runs before the next key event. Other effects may run later.
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

/** Collects keys that are typed after the palette opens and before its search box has focus. */
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
    // Ignore a failure, because the file is requested again when it is needed.
    const timer = setTimeout(() => void loadDialog().catch(() => undefined), quietMs);
    return () => clearTimeout(timer);
  }, []);
}
