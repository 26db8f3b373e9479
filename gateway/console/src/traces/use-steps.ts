// All steps of a trace: the first ones come with it, the others page by page.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { send } from "../api/send.ts";
import { listSteps, type Step, stepsPage, type Trace } from "./trace-requests.ts";

export interface Steps {
  readonly steps: readonly Step[];
  readonly isComplete: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

export function useSteps({ id, steps, stepCount }: Trace): Steps {
  const isWhole = steps.length >= stepCount;
  const query = useInfiniteQuery({
    queryKey: ["/v0/traces/{id}/steps", id, steps.length],
    queryFn: ({ pageParam, signal }) => send(listSteps(id, pageParam), { signal }),
    initialPageParam: steps.length,
    getNextPageParam: (page, _, skip) => (page.data.length < stepsPage ? undefined : skip + page.data.length),
    enabled: !isWhole,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const more = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return {
    steps: more.length === 0 ? steps : [...steps, ...more],
    isComplete: isWhole || (query.isSuccess && !hasNextPage),
    error: query.error,
    retry: () => void (query.data === undefined ? query.refetch() : fetchNextPage()),
  };
}
