import { Alert, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Pencil, PlugZap, Trash2 } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Time } from "../ui/time.tsx";
import { ConnectionChecks } from "./connection-checks.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { getStatus, priceText } from "./connection-list-page.tsx";
import {
  deleteConnection,
  getConnection,
  type ModelConnection,
  refreshedByConnections,
  testConnection,
} from "./settings-requests.ts";

const route = getRouteApi("/signed-in/settings/models/$connectionId");
const parent = { to: "/settings/models", label: "Models" } as const;

export default function ConnectionPage() {
  const { connectionId } = route.useParams();
  return (
    <Detail request={getConnection(connectionId)} title="Connection" parent={parent}>
      {(_, loaded) => <ConnectionDetail loaded={loaded} />}
    </Detail>
  );
}

const limitText = (value: number | null | undefined) => (value == null ? "No limit" : count(value));

function ConnectionDetail({ loaded }: { readonly loaded: Loaded<{ readonly data: ModelConnection }> }) {
  const connection = loaded.body.data;
  const navigate = useNavigate();
  const [isEditing, edit] = useDisclosure();
  const [isDeleting, remove] = useDisclosure();
  const trial = useChange(testConnection, { refreshes: refreshedByConnections });
  const deletion = useChange(deleteConnection, {
    refreshes: ["/v0/evaluation-settings"],
    onDone: () => void navigate({ to: "/settings/models" }),
  });
  const { limits, pausedAt, pauseReason } = connection;
  return (
    <Page
      title={connection.name}
      parent={parent}
      mark={<Status value={getStatus(connection)} />}
      description={connection.model}
      requests={[getConnection(connection.id), testConnection(connection.id)]}
      actions={
        <>
          <ActionButton
            operation="POST /v0/model-connections/{id}/test"
            leftSection={<PlugZap size={14} />}
            loading={trial.isPending}
            onClick={() => trial.mutate(connection.id)}
          >
            {pausedAt === null ? "Test" : "Test and resume"}
          </ActionButton>
          <ActionButton
            operation="PUT /v0/model-connections/{id}"
            variant="default"
            leftSection={<Pencil size={14} />}
            onClick={edit.open}
          >
            Edit
          </ActionButton>
          <ActionButton
            operation="DELETE /v0/model-connections/{id}"
            variant="default"
            leftSection={<Trash2 size={14} />}
            onClick={remove.open}
          >
            Delete
          </ActionButton>
        </>
      }
    >
      <Stack gap="lg">
        {trial.error !== null && (
          <Alert color="red" role="alert" p="xs">
            {messageOfError(trial.error)}
          </Alert>
        )}
        {trial.data !== undefined && !trial.isPending && <ConnectionChecks test={trial.data} />}
        {pausedAt !== null && (
          <Alert color="red" p="xs" title="Paused: evaluations wait">
            {`${pauseReason ?? ""} To resume, run a successful test or save the connection.`}
          </Alert>
        )}
        <Facts
          rows={[
            ["Provider", connection.provider],
            ["Base URL", connection.baseUrl ?? "Default URL"],
            ["Key ends with", <code key="key">{connection.apiKeyLastFour ?? "–"}</code>],
            ["Price per million tokens", priceText(connection)],
            ["Calls per minute", limitText(limits?.requestsPerMinute)],
            ["Tokens per minute", limitText(limits?.tokensPerMinute)],
            ["Max concurrent calls", limitText(limits?.concurrency)],
            ["Default judge", connection.default ? "Yes" : "No"],
            pausedAt !== null && ["Paused", <Time key="paused" value={pausedAt} />],
            ["Changed", <Time key="changed" value={connection.modifiedAt} />],
          ]}
        />
      </Stack>
      {isEditing && <ConnectionForm connection={loaded} onClose={edit.close} />}
      <Confirm
        title="Delete this connection?"
        confirmLabel="Delete"
        isOpen={isDeleting}
        onClose={remove.close}
        onConfirm={() => deletion.mutate(connection.id)}
        isSaving={deletion.isPending}
        error={deletion.error}
      >
        Waiting evaluations use the new default connection, if there is one.
      </Confirm>
    </Page>
  );
}
