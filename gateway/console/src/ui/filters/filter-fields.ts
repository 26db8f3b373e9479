// What a bar of filters knows of them: what each can be set to, for the box that completes their names and values.

import { createContext, useContext, useLayoutEffect } from "react";
import type { FilterField } from "./complete.ts";

export interface KnownFilters {
  /** In the order of the bar; read when somebody types. */
  readonly fields: Map<string, FilterField>;
  /** Boxes to type in. */
  boxes: number;
}

export const noFilters = (): KnownFilters => ({ fields: new Map(), boxes: 0 });

/** That of the bar around. */
export const FiltersContext = createContext<KnownFilters>(noFilters());

export function useFilterField({ label, options, chosen, choose }: FilterField): void {
  const { fields } = useContext(FiltersContext);
  useLayoutEffect(() => {
    fields.set(label, { label, options, chosen, choose });
  });
  useLayoutEffect(() => () => void fields.delete(label), [fields, label]);
}

export function useFilterBox(): KnownFilters {
  const filters = useContext(FiltersContext);
  useLayoutEffect(() => {
    filters.boxes += 1;
    return () => {
      filters.boxes -= 1;
    };
  }, [filters]);
  return filters;
}
