// Loads a resource with its ETag, then opens the form that edits it.

import { Skeleton, Stack } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Loaded } from "../api/conditional.ts";
import { readVersion } from "../api/query.ts";
import type { ApiRequest } from "../api/request.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorState } from "../ui/states.tsx";

interface EditingProps<Body> {
  readonly request: ApiRequest<Body>;
  /** Title of the dialog while the resource loads. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (loaded: Loaded<Body>) => ReactNode;
}

/** Delay before the loading dialog opens, so that it does not flash. */
const slowMs = 300;

export function Editing<Body>({ request, title, onClose, children }: EditingProps<Body>) {
  const { data, error, refetch } = useQuery(readVersion(request));
  const [isSlow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), slowMs, { autoInvoke: true });
  if (data !== undefined) return children({ ...data, request });
  if (!isSlow && error === null) return null;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="sm" aria-busy aria-label="Loading" role="status">
          <Skeleton height={36} />
          <Skeleton height={120} />
        </Stack>
      )}
    </Dialog>
  );
}
