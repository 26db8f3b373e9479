import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readList } from "../api/query.ts";
import type { FilterProps } from "../ui/filters/filters.tsx";
import { plural } from "../ui/format.ts";
import { listTraces } from "./trace-requests.ts";
import type { TraceSearch } from "./trace-search.ts";

/** Says how many traces a search by words may miss, because they are not indexed yet. */
export function UnindexedNote({ search }: Pick<FilterProps<TraceSearch>, "search">) {
  const unindexed = useQuery(readList(listTraces(search))).data?.unindexed ?? 0;
  if (unindexed === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {`${plural(unindexed, "trace")} ${unindexed === 1 ? "is" : "are"} not searchable yet`}
    </Text>
  );
}
