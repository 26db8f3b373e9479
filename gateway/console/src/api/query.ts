// Queries and mutations for API requests. The query cache is the only store. A change refreshes lists it may affect.

import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, isRefused } from "./errors.ts";
import { Intents } from "./intents.ts";
import type { ApiRequest } from "./request.ts";
import { receive, send, type Version } from "./send.ts";

const retriesMax = 2;

export const toQueryKey = ({ method, path, params, body }: ApiRequest) =>
  [path, method, params ?? {}, body ?? null] as const;

/** Query for a resource's version. The cache stores body and ETag together, so that forms never mix two versions. */
export const readVersion = <Data>(request: ApiRequest<Data>) =>
  queryOptions({
    queryKey: toQueryKey(request),
    queryFn: async ({ signal }) => receive(request, { signal }),
  });

export const read = <Data>(request: ApiRequest<Data>) =>
  queryOptions({ ...readVersion(request), select: ({ body }: Version<Data>) => body });

/** Query for a list. The current rows stay visible until the next page has loaded. */
export const readList = <Data>(request: ApiRequest<Data>) => ({ ...read(request), placeholderData: keepPreviousData });

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly pagination?: { readonly nextCursor?: string | null };
}

/** Maximum number of pages of a list that is loaded as a whole. */
const pagesMax = 50;

/** Query for all rows of a list that the API cannot search. */
export const readAll = <Row>(toRequest: (after: string | undefined) => ApiRequest<ListPage<Row>>) =>
  queryOptions({
    queryKey: [...toQueryKey(toRequest(undefined)), "all"],
    queryFn: async ({ signal }) => {
      const rows: Row[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < pagesMax; pages++) {
        const { data, pagination } = await send(toRequest(after), { signal });
        rows.push(...data);
        if (pagination?.nextCursor == null) break;
        after = pagination.nextCursor;
      }
      return rows;
    },
  });

/** Maximum time by which loading data may delay the first render. */
const prefetchWaitMs = 150;

/**
 * Loads data that is not cached, in parallel with the page's code. For route loaders. Data that arrives in time is part
 * of the first render, which halves the rendering cost. The page itself handles errors.
 */
export async function prefetch(client: QueryClient, queries: readonly ReturnType<typeof read<unknown>>[]) {
  const answers = Promise.all(queries.map((query) => client.prefetchQuery(query)));
  await Promise.race([answers, new Promise((resolve) => setTimeout(resolve, prefetchWaitMs))]);
}

export interface ClientEvents {
  onConflictOfSessions(): void;
  /** Called if the API refused a change that a page offered: the session's permissions may have been reduced. */
  onRefused(): void;
}

export function createQueryClient(events: ClientEvents): QueryClient {
  const onError = (error: unknown) => {
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
        // Fail while offline, instead of waiting without an end; load again when the network is back.
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (count, error) => count < retriesMax && !(error instanceof ApiError && !error.isTransient),
      },
      // Never send a change later, which its person has meanwhile canceled.
      mutations: { networkMode: "always" },
    },
  });
}

export const isRefreshedBy =
  (prefixes: readonly string[]) =>
  ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    prefixes.some((prefix) => String(queryKey[0]).startsWith(prefix));

interface ChangeOptions<Data, Input> {
  readonly refreshes: readonly string[];
  readonly onDone?: (data: Data, input: Input) => void;
  /** True for a form: what it has sent once is not done a second time, and closing it cancels its request. */
  readonly isForm?: boolean;
}

/** Mutation that refreshes the queries whose path begins with one in `refreshes`, such as `/v0/topics`. */
export function useChange<Data, Input>(
  makeRequest: (input: Input) => ApiRequest<Data>,
  { refreshes, onDone, isForm = false }: ChangeOptions<Data, Input>,
) {
  const client = useQueryClient();
  const [intents] = useState(() => new Intents());
  const newSignal = useSignal();
  return useMutation({
    mutationFn: async (input: Input) => {
      const request = makeRequest(input);
      const options = isForm ? { signal: newSignal() } : {};
      const data = await intents.send(request, (idempotencyKey) => send(request, { idempotencyKey, ...options }));
      if (!isForm) intents.end(request);
      return data;
    },
    onSuccess: async (data, input) => {
      await client.invalidateQueries({ predicate: isRefreshedBy(refreshes) });
      onDone?.(data, input);
    },
  });
}

/** Returns a function that makes a signal, which aborts when the component is removed. */
export function useSignal(): () => AbortSignal {
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  return () => {
    controller.current ??= new AbortController();
    if (controller.current.signal.aborted) controller.current = new AbortController();
    return controller.current.signal;
  };
}

interface ChangesOptions<Input> {
  readonly refreshes: readonly string[];
  /** Called after each request that succeeded. */
  readonly onSent: (input: Input) => void;
  /** Called after all requests succeeded and the queries are refreshed. */
  readonly onDone: () => void;
}

/** Mutation that sends several requests in order and stops at the first that fails. It refreshes once, at the end. */
export function useChanges<Data, Input>(
  makeRequest: (input: Input) => ApiRequest<Data>,
  { refreshes, onSent, onDone }: ChangesOptions<Input>,
) {
  const client = useQueryClient();
  const [intents] = useState(() => new Intents());
  return useMutation({
    mutationFn: async (inputs: readonly Input[]) => {
      for (const input of inputs) {
        const request = makeRequest(input);
        await intents.send(request, (idempotencyKey) => send(request, { idempotencyKey }));
        intents.end(request);
        onSent(input);
      }
    },
    onSettled: async (_, error) => {
      await client.invalidateQueries({ predicate: isRefreshedBy(refreshes) });
      if (error === null) onDone();
    },
  });
}
