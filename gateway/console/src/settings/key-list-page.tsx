import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { sessionKey, sessionQuery } from "../session/session.ts";
import { ActionButton } from "../ui/action.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { NewKey } from "./new-key.tsx";
import { createKey, deleteKey, type ListedApiKey, listKeys, refreshedByKeys } from "./settings-requests.ts";

const route = getRouteApi("/signed-in/settings/keys");

export default function KeyListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const [deleting, setDeleting] = useState<ListedApiKey>();
  const own = useQuery(sessionQuery).data?.data?.key?.id;
  const request = listKeys(search);
  const newKey = (
    <ActionButton operation="POST /v0/api-keys" leftSection={<Plus size={14} />} onClick={create.open}>
      New key
    </ActionButton>
  );
  const columns: readonly Column<ListedApiKey>[] = [
    { id: "name", label: "Name", isFixed: true, width: 200, orderBy: "name", cell: ({ name }) => name },
    { id: "prefix", label: "Begins with", cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      id: "scopes",
      label: "May do",
      cell: ({ scopes }) => (scopes.length === 0 ? "Everything" : <code>{scopes.join(", ")}</code>),
    },
    { id: "expiresAt", label: "Expires", cell: ({ expiresAt }) => <Time value={expiresAt} /> },
    { id: "lastUsedAt", label: "Last used", cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
    { id: "createdAt", label: "Created", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} /> },
    { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
    {
      id: "delete",
      label: "Delete",
      isFixed: true,
      cell: (key) => (
        <ActionButton
          operation="DELETE /v0/api-keys/{keyId}"
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<Trash2 size={14} />}
          aria-label={`Delete key ${key.name}`}
          onClick={() => setDeleting(key)}
        >
          {key.id === own ? "Delete (in use here)" : "Delete"}
        </ActionButton>
      ),
    },
  ];
  return (
    <Page
      title="API keys"
      description="What clients, and people who sign in here, call the API with"
      requests={[request]}
      actions={newKey}
    >
      <ListView
        label="API keys"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...(change as object) }) })}
        empty={
          <EmptyState title="No keys" action={newKey} request={createKey({ name: "Continuous integration" })}>
            The key that you signed in with is no longer there.
          </EmptyState>
        }
      />
      {isCreating && <NewKey onClose={create.close} />}
      {deleting !== undefined && (
        <DeleteKey apiKey={deleting} isOwn={deleting.id === own} onClose={() => setDeleting(undefined)} />
      )}
    </Page>
  );
}

interface DeleteKeyProps {
  readonly apiKey: ListedApiKey;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function DeleteKey({ apiKey, isOwn, onClose }: DeleteKeyProps) {
  const client = useQueryClient();
  const deletion = useChange(deleteKey, {
    // Lists of a key that is no more would only be refused.
    refreshes: isOwn ? [] : refreshedByKeys,
    onDone: () => {
      onClose();
      if (isOwn) void client.invalidateQueries({ queryKey: sessionKey }).then(() => location.assign("/sign-in"));
    },
  });
  return (
    <Confirm
      title="Delete this key?"
      confirmLabel="Delete"
      isOpen
      onClose={onClose}
      onConfirm={() => deletion.mutate(apiKey.id)}
      isSaving={deletion.isPending}
      error={deletion.error}
    >
      {`Whoever calls with ${apiKey.name} (${apiKey.prefix}…) is refused within seconds.`}
      {isOwn && (
        <Text size="sm" mt="xs" fw={500}>
          You are signed in with it: you will be signed out.
        </Text>
      )}
    </Confirm>
  );
}
