// Registry of the filters and values in a filter bar, which its text boxes complete.

import { createContext, useContext, useLayoutEffect, useReducer } from "react";
import type { FilterField } from "./complete.ts";

export interface KnownFilters {
  /** Fields in the order of the bar. */
  readonly fields: Map<string, FilterField>;
  /** Callbacks that re-render the text boxes. */
  readonly boxes: Set<() => void>;
}

export const noFilters = (): KnownFilters => ({ fields: new Map(), boxes: new Set() });

/** Registry of the surrounding filter bar. */
export const FiltersContext = createContext<KnownFilters>(noFilters());

export function useFilterField({ label, options, chosen, choose }: FilterField): void {
  const { fields, boxes } = useContext(FiltersContext);
  useLayoutEffect(() => {
    fields.set(label, { label, options, chosen, choose });
    // Re-render the text boxes, because values may arrive after typing has started.
    for (const redraw of boxes) redraw();
  });
  useLayoutEffect(() => () => void fields.delete(label), [fields, label]);
}

/** Returns the filters of the surrounding filter bar. */
export function useFilterFields(): readonly FilterField[] {
  const { fields, boxes } = useContext(FiltersContext);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => {
    boxes.add(redraw);
    return () => void boxes.delete(redraw);
  }, [boxes]);
  return [...fields.values()];
}
