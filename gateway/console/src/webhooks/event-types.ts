import { useQuery } from "@tanstack/react-query";
import { readList } from "../api/query.ts";
import { listDeliveries } from "./webhook-requests.ts";

const recent = listDeliveries({ limit: 100 });

/** Choices of the filter by type: those of the newest deliveries, and those that are chosen. */
export function useEventTypes(chosen: readonly string[] = []) {
  const { data } = useQuery(readList(recent));
  const types = new Set([...chosen, ...(data?.data ?? []).map(({ type }) => type)]);
  return [...types].sort().map((value) => ({ value, label: value }));
}
