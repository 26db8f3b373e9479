// API keys as choices for a filter.

import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import type { Choice } from "../ui/filters/choice-filter.tsx";
import { listKeys } from "./settings-requests.ts";

const firstKeys = listKeys({ limit: 100, orderBy: "name", orderDir: "asc" });

export function useKeyChoices(): Choice<string>[] {
  const { data } = useQuery(read(firstKeys));
  return (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
