// Prints in the light color scheme, because paper is white.

import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const attribute = "data-mantine-color-scheme";
let isPrinting = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  isPrinting = next;
  // Render synchronously, because the browser captures the page when the event handler returns.
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

export function watchPrinting(): void {
  let scheme: string | null = null;
  const { documentElement: html } = document;
  window.addEventListener("beforeprint", () => {
    scheme = html.getAttribute(attribute);
    html.setAttribute(attribute, "light");
    set(true);
  });
  window.addEventListener("afterprint", () => {
    if (scheme !== null) html.setAttribute(attribute, scheme);
    set(false);
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
