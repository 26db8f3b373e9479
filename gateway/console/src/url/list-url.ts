// The URL of a list as data: its orders, its filters and a reader for each filter's value.

import { type DayRange, timesOf } from "./day-range.ts";
import { type ListSearch, listSearch, pageOf, type Store } from "./list-search.ts";
import { day, oneOf, type RawSearch, someOf } from "./search.ts";

type Readers = Readonly<Record<string, (value: unknown) => unknown>>;
type Filters<Each extends Readers> = { readonly [Name in keyof Each]?: ReturnType<Each[Name]> };

/** The part of a URL that a page of a list needs. */
export interface ListUrl<Search> {
  readonly parse: (raw: RawSearch) => Search;
  /** Names of the parameters that filter. */
  readonly filters: readonly string[];
}

export type SearchOf<Url extends ListUrl<unknown>> = ReturnType<Url["parse"]>;

/** Readers of a range of days. */
export const days = { from: day, to: day } as const;

/** Reader of the store, for lists whose rows may be in the archive. No filter: a reset keeps it. */
export const stores = { store: (value: unknown): Store | undefined => oneOf(value, ["archive"]) } as const;

export const some =
  <const Value extends string>(allowed: readonly Value[]) =>
  (value: unknown) =>
    someOf(value, allowed);

export const one =
  <const Value extends string>(allowed: readonly Value[]) =>
  (value: unknown) =>
    oneOf(value, allowed);

export function listUrl<const Order extends string, Each extends Readers>(orders: readonly Order[], readers: Each) {
  type Search = ListSearch<Order> & Filters<Each>;
  return {
    filters: Object.keys(readers).filter((name) => !(name in stores)),
    parse: (raw: RawSearch): Search => {
      const values = Object.entries(readers).map(([name, read]) => [name, read(raw[name])]);
      // Each value is of its reader's type: `Object.fromEntries` cannot say so.
      return { ...listSearch(raw, orders), ...(Object.fromEntries(values) as Filters<Each>) };
    },
    /** The query of the API: filters are called as in the URL, but days are instants. */
    query: ({ columns: _, skip, limit, orderBy, orderDir, from, to, ...filters }: Search & DayRange) => ({
      ...pageOf<Order>({ skip, limit, orderBy, orderDir }),
      ...timesOf({ from, to }),
      ...filters,
    }),
  };
}

/** Returns the search without its filters, on the first page; undefined if nothing is filtered. */
export function resetOf({ filters }: Pick<ListUrl<unknown>, "filters">, search: object): object | undefined {
  const values: RawSearch = Object.fromEntries(Object.entries(search));
  if (filters.every((name) => values[name] === undefined)) return undefined;
  return Object.fromEntries([...filters, "skip"].map((name) => [name, undefined]));
}
