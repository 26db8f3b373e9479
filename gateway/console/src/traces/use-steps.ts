// Loads all steps of a trace. The trace already contains the first steps; the rest is loaded a few pages at a time.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { send } from "../api/send.ts";
import { listSteps, type Step, stepsPage, type Trace } from "./trace-requests.ts";

export interface Steps {
  readonly steps: readonly Step[];
  readonly isComplete: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Number of pages to load at once, because the whole waterfall is laid out again after each load. */
const pagesAtOnce = 5;

export function useSteps({ id, steps, stepCount }: Trace): Steps {
  const isWhole = steps.length >= stepCount;
  const query = useInfiniteQuery({
    queryKey: ["/v0/traces/{id}/steps", id, steps.length],
    queryFn: async ({ pageParam, signal }) => {
      const pages = Array.from({ length: pagesAtOnce }, (_, page) => pageParam + page * stepsPage);
      const isThere = (skip: number) => skip === pageParam || skip < stepCount;
      return Promise.all(pages.filter(isThere).map((skip) => send(listSteps(id, skip), { signal })));
    },
    initialPageParam: steps.length,
    getNextPageParam: (pages, _, skip) => {
      const next = skip + pagesAtOnce * stepsPage;
      return (pages.at(-1)?.data.length ?? 0) < stepsPage || next >= stepCount ? undefined : next;
    },
    enabled: !isWhole,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const pages = query.data?.pages;
  const all = useMemo(() => [...steps, ...(pages ?? []).flat().flatMap(({ data }) => data)], [steps, pages]);
  return {
    steps: all,
    isComplete: isWhole || (query.isSuccess && !hasNextPage),
    error: query.error,
    retry: () => void (query.data === undefined ? query.refetch() : fetchNextPage()),
  };
}
