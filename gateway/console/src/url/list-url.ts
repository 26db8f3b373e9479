// Defines a list's URL as data: sort keys, filters, and a parser for each filter's value.

import { type DayRange, toInstants } from "./day-range.ts";
import { type ListSearch, listSearch, type Store, toPageQuery } from "./list-search.ts";
import { anyOf, day, oneOf, type RawSearch } from "./search.ts";

type Readers = Readonly<Record<string, (value: unknown) => unknown>>;
type Filters<Each extends Readers> = { readonly [Name in keyof Each]?: ReturnType<Each[Name]> };

/** Functions and data about its URL that a list page needs. */
export interface ListUrl<Search> {
  readonly parse: (raw: RawSearch) => Search;
  /** Names of the filter parameters. */
  readonly filters: readonly string[];
}

export type SearchState<Url extends ListUrl<unknown>> = ReturnType<Url["parse"]>;

/** Parsers for a range of days. */
export const days = { from: day, to: day } as const;

/** Parser for the store, for lists with archived rows. It is not a filter, so a reset keeps the store. */
export const stores = { store: (value: unknown): Store | undefined => oneOf(value, ["archive"]) } as const;

export const parseMany =
  <const Value extends string>(allowed: readonly Value[]) =>
  (value: unknown) =>
    anyOf(value, allowed);

export const parseOne =
  <const Value extends string>(allowed: readonly Value[]) =>
  (value: unknown) =>
    oneOf(value, allowed);

export function listUrl<const Order extends string, Each extends Readers>(orders: readonly Order[], readers: Each) {
  type Search = ListSearch<Order> & Filters<Each>;
  return {
    filters: Object.keys(readers).filter((name) => !(name in stores)),
    parse: (raw: RawSearch): Search => {
      const values = Object.entries(readers).map(([name, read]) => [name, read(raw[name])]);
      // The cast is safe: each value has its parser's type, which `Object.fromEntries` cannot express.
      return { ...listSearch(raw, orders), ...(Object.fromEntries(values) as Filters<Each>) };
    },
    /** Builds the API's query parameters. Filters keep their names; days become instants. */
    query: ({ columns: _, skip, limit, orderBy, orderDir, from, to, ...filters }: Search & DayRange) => ({
      ...toPageQuery<Order>({ skip, limit, orderBy, orderDir }),
      ...toInstants({ from, to }),
      ...filters,
    }),
  };
}

/** Returns changes that clear the filters and go to the first page; undefined if no filter is set. */
export function clearFilters({ filters }: Pick<ListUrl<unknown>, "filters">, search: object): object | undefined {
  const values: RawSearch = Object.fromEntries(Object.entries(search));
  if (filters.every((name) => values[name] === undefined)) return undefined;
  return Object.fromEntries([...filters, "skip"].map((name) => [name, undefined]));
}
