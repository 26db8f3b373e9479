// People as choices for a field or filter.

import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import type { Choice } from "../ui/filters/choice-filter.tsx";
import { listUsers } from "./settings-requests.ts";

const firstUsers = listUsers({ limit: 100, orderBy: "name", orderDir: "asc" });

export function useUserChoices(): Choice<string>[] {
  const { data } = useQuery(read(firstUsers));
  return (data?.data ?? []).map(({ id, name, email }) => ({
    value: id,
    label: email === null ? name : `${name}, ${email}`,
  }));
}
