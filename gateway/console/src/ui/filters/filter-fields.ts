// What a bar of filters knows of them: what each can be set to, for the box that completes their names and values.

import { createContext, useContext, useLayoutEffect, useReducer } from "react";
import type { FilterField } from "./complete.ts";

export interface KnownFilters {
  /** In the order of the bar. */
  readonly fields: Map<string, FilterField>;
  /** Of each box to type in: draws it anew. */
  readonly boxes: Set<() => void>;
}

export const noFilters = (): KnownFilters => ({ fields: new Map(), boxes: new Set() });

/** That of the bar around. */
export const FiltersContext = createContext<KnownFilters>(noFilters());

export function useFilterField({ label, options, chosen, choose }: FilterField): void {
  const { fields, boxes } = useContext(FiltersContext);
  useLayoutEffect(() => {
    fields.set(label, { label, options, chosen, choose });
    // Values may come after somebody has begun to type.
    for (const redraw of boxes) redraw();
  });
  useLayoutEffect(() => () => void fields.delete(label), [fields, label]);
}

/** The filters of the bar in which the box is. */
export function useFilterFields(): readonly FilterField[] {
  const { fields, boxes } = useContext(FiltersContext);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => {
    boxes.add(redraw);
    return () => void boxes.delete(redraw);
  }, [boxes]);
  return [...fields.values()];
}
