// API keys as choices for a filter.

import { useQuery } from "@tanstack/react-query";
import { readAll } from "../api/query.ts";
import { get } from "../api/request.ts";
import type { Found } from "../ui/pick/found.ts";
import { findTyped } from "../ui/pick/typed.ts";

const allKeys = (after: string | undefined) =>
  get("/v0/api-keys", { params: { query: { limit: 100, orderBy: "name", orderDir: "asc", after } } });

/** The API cannot search keys, so this loads all. */
export function useKeys(typed: string, chosen: readonly string[]): Found {
  const { data = [] } = useQuery(readAll(allKeys));
  const keys = data.map(({ id, name }) => ({ value: id, label: name }));
  return findTyped(keys, typed, chosen);
}
