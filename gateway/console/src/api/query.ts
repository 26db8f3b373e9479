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
import { receive, send, type Version } from "./send.ts";

const retriesMax = 2;

export const keyOf = ({ method, path, params, body }: ApiRequest) =>
  [path, method, params ?? {}, body ?? null] as const;

/** The cache holds an answer and its ETag as one value, so that a form never has the one without the other. */
export const readVersion = <Data>(request: ApiRequest<Data>) =>
  queryOptions({
    queryKey: keyOf(request),
    queryFn: async ({ signal }) => receive(request, { signal }),
  });

export const read = <Data>(request: ApiRequest<Data>) =>
  queryOptions({ ...readVersion(request), select: ({ body }: Version<Data>) => body });

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

export const isRefreshedBy =
  (prefixes: readonly string[]) =>
  ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    prefixes.some((prefix) => String(queryKey[0]).startsWith(prefix));

/** A change, and the paths of what it makes out of date: `/v0/topics` stands for all that begins with it. */
export function useChange<Data, Input>(
  makeRequest: (input: Input) => ApiRequest<Data>,
  { refreshes, onDone }: { refreshes: readonly string[]; onDone?: (data: Data, input: Input) => void },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => send(makeRequest(input), { idempotencyKey: crypto.randomUUID() }),
    onSuccess: async (data, input) => {
      await client.invalidateQueries({ predicate: isRefreshedBy(refreshes) });
      onDone?.(data, input);
    },
  });
}
