// Choices that the API finds while a person types. A source is a hook, one for each kind of resource.

import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQuery } from "@tanstack/react-query";
import { read, readList } from "../../api/query.ts";
import type { ApiRequest } from "../../api/request.ts";
import type { Choice } from "../filters/choice-filter.tsx";

export interface Found {
  /** Matches, preceded by the chosen values that do not match. */
  readonly choices: readonly Choice<string>[];
  /** Number of all matches, or undefined while it is unknown. */
  readonly total: number | undefined;
}

export type Source = (typed: string, chosen: readonly string[]) => Found;

/** Maximum number of choices that a request returns. */
export const pageMax = 100;
const typingMs = 200;

interface SourceOptions<Row, One> {
  readonly search: (typed: string | undefined) => ApiRequest<{
    readonly data: readonly Row[];
    readonly pagination?: { readonly total: number };
  }>;
  readonly get: (id: string) => ApiRequest<One>;
  readonly toRow: (answer: One) => Row;
  readonly toChoice: (row: Row) => Choice<string>;
}

export const pickFrom =
  <Row, One>({ search, get, toRow, toChoice }: SourceOptions<Row, One>): Source =>
  (typed, chosen) => {
    const [text] = useDebouncedValue(typed.trim(), typingMs);
    const { data } = useQuery(readList(search(text === "" ? undefined : text)));
    const matches = (data?.data ?? []).map(toChoice);
    const unmatched = chosen.filter((id) => data !== undefined && matches.every(({ value }) => value !== id));
    const single = useQueries({ queries: unmatched.map((id) => read(get(id))) });
    const named = unmatched.map((id, at) => {
      const answer = single[at]?.data;
      // The compiler does not see that the query's data is the answer of `get`.
      return answer === undefined ? { value: id, label: id } : toChoice(toRow(answer as One));
    });
    return { choices: [...named, ...matches], total: data?.pagination?.total };
  };

/** Returns how many of all matches are displayed, or undefined if all are. */
export function describeRest({ choices, total }: Found, count: (value: number) => string): string | undefined {
  const displayed = Math.min(choices.length, pageMax);
  return total === undefined || total <= displayed
    ? undefined
    : `${count(displayed)} of ${count(total)}, type to find others`;
}
