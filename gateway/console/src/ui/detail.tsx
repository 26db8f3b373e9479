// Page of a single resource. It renders its frame immediately and its content after loading.

import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import type { Loaded } from "../api/conditional.ts";
import { readVersion } from "../api/query.ts";
import type { ApiRequest } from "../api/request.ts";
import { Page } from "./page.tsx";
import { ErrorState } from "./states.tsx";

interface DetailProps<Data> {
  readonly request: ApiRequest<Data>;
  /** Title while the resource loads. */
  readonly title: string;
  readonly parent?: NonNullable<ComponentProps<typeof Page>["parent"]>;
  /** Polling interval in milliseconds while something is in progress. */
  readonly refreshMs?: (data: Data) => number | false;
  /** Renders the content. `loaded` is the version of the resource, which edit forms need. */
  readonly children: (data: Data, loaded: Loaded<Data>) => ReactNode;
}

export function Detail<Data>({ request, title, parent, refreshMs, children }: DetailProps<Data>) {
  const { data, error, refetch } = useQuery({
    ...readVersion(request),
    refetchInterval: ({ state }) => (state.data === undefined ? false : (refreshMs?.(state.data.body) ?? false)),
  });
  if (data !== undefined) return children(data.body, { ...data, request });
  return (
    <Page title={title} {...(parent !== undefined && { parent })} requests={[request]}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="lg" aria-busy aria-label="Loading" role="status">
          <Skeleton height={44} />
          <Skeleton height={320} />
        </Stack>
      )}
    </Page>
  );
}
