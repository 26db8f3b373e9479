import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import type { FunctionComponent } from "react";
import { useChange } from "../api/query.ts";
import { sessionKey, sessionQuery } from "../session/session.ts";
import { ActionButton } from "../ui/action.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { NewKey } from "./new-key.tsx";
import { createKey, deleteKey, keyUrl, type ListedApiKey, listKeys, refreshedByKeys } from "./settings-requests.ts";

const columns: readonly Column<ListedApiKey>[] = [
  { id: "name", label: "Name", isFixed: true, width: 200, orderBy: "name", cell: ({ name }) => name },
  { id: "prefix", label: "Prefix", cell: ({ prefix }) => <code>{prefix}…</code> },
  {
    id: "scopes",
    label: "Scopes",
    cell: ({ scopes }) => (scopes.length === 0 ? "Everything" : <code>{scopes.join(", ")}</code>),
  },
  timeColumn("expiresAt", "Expires", { orderBy: undefined }),
  timeColumn("lastUsedAt", "Last used", { orderBy: undefined }),
  timeColumn("createdAt", "Created"),
  idColumn,
  { id: "delete", label: "Delete", isFixed: true, cell: (key) => <Delete apiKey={key} /> },
];

const KeyListPage: FunctionComponent = listPage({
  title: "API keys",
  description: "Keys for the API and the console",
  url: keyUrl,
  list: listKeys,
  columns,
  action: { operation: "POST /v0/api-keys", label: "New key", Form: NewKey },
  empty: {
    title: "No keys",
    text: "The key that you signed in with was deleted.",
    request: createKey({ name: "Continuous integration" }),
  },
});
export default KeyListPage;

function Delete({ apiKey }: { readonly apiKey: ListedApiKey }) {
  const [isOpen, { open, close }] = useDisclosure();
  const isOwn = useQuery(sessionQuery).data?.data?.key?.id === apiKey.id;
  return (
    <>
      <ActionButton
        operation="DELETE /v0/api-keys/{keyId}"
        variant="subtle"
        color="gray"
        size="compact-xs"
        leftSection={<Trash2 size={14} />}
        aria-label={`Delete key ${apiKey.name}`}
        onClick={open}
      >
        {isOwn ? "Delete (in use here)" : "Delete"}
      </ActionButton>
      {isOpen && <DeleteKey apiKey={apiKey} isOwn={isOwn} onClose={close} />}
    </>
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
    // After deleting the session's own key, do not reload lists: requests would fail.
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
      {`Requests with ${apiKey.name} (${apiKey.prefix}…) are refused within seconds.`}
      {isOwn && (
        <Text size="sm" mt="xs" fw={500}>
          You are signed in with this key and will be signed out.
        </Text>
      )}
    </Confirm>
  );
}
