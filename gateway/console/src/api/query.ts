// Queries and changes by requests. The cache is the only store: a change refreshes the lists that it may have changed.

import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError, isRefused, isSignedOut } from "./errors.ts";
import type { ApiRequest } from "./request.ts";
import { send } from "./send.ts";

const retriesMax = 2;

export const keyOf = ({ method, path, params, body }: ApiRequest) =>
  [path, method, params ?? {}, body ?? null] as const;

export const read = <Data>(request: ApiRequest<Data>) =>
  queryOptions({
    queryKey: keyOf(request),
    // Null stands for an empty response, which a query cannot hold.
    queryFn: async ({ signal }) => send(request, { signal }),
  });

/** For lists: the rows before stay until those of the next page are there. */
export const readList = <Data>(request: ApiRequest<Data>) => ({ ...read(request), placeholderData: keepPreviousData });

/** How long a page waits for its answers before it is drawn without them. */
const prefetchWaitMs = 150;

/**
 * For a route's loader: asks for what is not in the cache, beside the page's code. Answers that come soon are drawn with the page,
 * which costs half of drawing it twice; the page shows the errors.
 */
export async function prefetch(client: QueryClient, queries: readonly ReturnType<typeof read<unknown>>[]) {
  const answers = Promise.all(queries.map((query) => client.prefetchQuery(query)));
  await Promise.race([answers, new Promise((resolve) => setTimeout(resolve, prefetchWaitMs))]);
}

export interface ClientEvents {
  onSignedOut(): void;
  onConflictOfSessions(): void;
  /** A change was refused that the page offered: the session may do less by now. */
  onRefused(): void;
}

export function createQueryClient(events: ClientEvents): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) events.onSignedOut();
    if (error instanceof ApiError && error.isConflictOfSessions) events.onConflictOfSessions();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError(error) {
        onError(error);
        if (isRefused(error)) events.onRefused();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (count, error) => count < retriesMax && !(error instanceof ApiError && !error.isTransient),
      },
    },
  });
}

/** A change, and the paths of what it makes out of date: `/v0/topics` stands for all that begins with it. */
export function useChange<Data, Input>(
  makeRequest: (input: Input) => ApiRequest<Data>,
  { refreshes, onDone }: { refreshes: readonly string[]; onDone?: (data: Data, input: Input) => void },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => send(makeRequest(input), { idempotencyKey: crypto.randomUUID() }),
    onSuccess: async (data, input) => {
      const isRefreshed = (path: unknown) => refreshes.some((prefix) => String(path).startsWith(prefix));
      await client.invalidateQueries({ predicate: ({ queryKey }) => isRefreshed(queryKey[0]) });
      onDone?.(data, input);
    },
  });
}
