import { Alert, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Pencil, PlugZap, Trash2 } from "lucide-react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { duration, words } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { ExportForm } from "./export-form.tsx";
import {
  deleteExportSettings,
  type ExportSettings,
  type ExportTest,
  getExportSettings,
  refreshedByExports,
  testExportSettings,
} from "./export-requests.ts";
import { ExportStates } from "./export-states.tsx";

const description = "Traces and tests to S3-compatible storage";

export default function ExportsPage() {
  const [isEditing, edit] = useDisclosure();
  return (
    <Detail request={getExportSettings()} title="Exports">
      {({ data: settings }, loaded) => (
        <>
          {settings === null ? (
            <NoExports onEdit={edit.open} />
          ) : (
            <SettingsDetail settings={settings} onEdit={edit.open} />
          )}
          {isEditing && <ExportForm loaded={loaded} onClose={edit.close} />}
        </>
      )}
    </Detail>
  );
}

function NoExports({ onEdit }: { readonly onEdit: () => void }) {
  const action = (
    <ActionButton operation="PUT /v0/export-settings" onClick={onEdit}>
      Set up exports
    </ActionButton>
  );
  return (
    <Page title="Exports" description={description} requests={[getExportSettings()]}>
      <EmptyState title="No exports yet" action={action} request={getExportSettings()}>
        Exports write new traces and tests to a bucket, each hour or day, as compressed JSON lines.
      </EmptyState>
    </Page>
  );
}

interface SettingsDetailProps {
  readonly settings: ExportSettings;
  readonly onEdit: () => void;
}

function SettingsDetail({ settings, onEdit }: SettingsDetailProps) {
  const [isDeleting, remove] = useDisclosure();
  const trial = useChange(testExportSettings, { refreshes: refreshedByExports });
  const deletion = useChange(deleteExportSettings, { refreshes: refreshedByExports, onDone: remove.close });
  return (
    <Page
      title="Exports"
      mark={<Status value={settings.enabled ? "ACTIVE" : "DISABLED"} />}
      description={description}
      requests={[getExportSettings(), testExportSettings()]}
      actions={
        <>
          <ActionButton
            operation="POST /v0/export-settings/test"
            leftSection={<PlugZap size={14} />}
            loading={trial.isPending}
            onClick={() => trial.mutate(undefined)}
          >
            Test
          </ActionButton>
          <ActionButton
            operation="PUT /v0/export-settings"
            variant="default"
            leftSection={<Pencil size={14} />}
            onClick={onEdit}
          >
            Edit
          </ActionButton>
          <ActionButton
            operation="DELETE /v0/export-settings"
            variant="default"
            leftSection={<Trash2 size={14} />}
            onClick={remove.open}
          >
            Delete
          </ActionButton>
        </>
      }
    >
      <Stack gap="xl">
        {trial.error !== null && (
          <Alert color="red" role="alert" p="xs">
            {messageOfError(trial.error)}
          </Alert>
        )}
        {trial.data !== undefined && !trial.isPending && (
          <Alert color={trial.data.ok ? "green" : "red"} role="status" p="xs">
            {testOutcome(trial.data)}
          </Alert>
        )}
        <Facts
          rows={[
            ["Endpoint", settings.endpoint],
            ["Bucket", settings.bucket],
            ["Prefix", settings.prefix ?? "None"],
            ["Region", settings.region],
            ["Bucket in the path", settings.pathStyle ? "Yes" : "No"],
            ["Access key id", <code key="key">{settings.accessKeyId}</code>],
            ["Data", settings.datasets.map(words).join(", ")],
            ["Format", "JSON lines, gzip"],
            ["Interval", words(settings.interval)],
            ["Changed", <Time key="changed" value={settings.modifiedAt} />],
          ]}
        />
        <ExportStates states={settings.exports} />
      </Stack>
      <Confirm
        title="Delete the export settings?"
        confirmLabel="Delete"
        isOpen={isDeleting}
        onClose={remove.close}
        onConfirm={() => deletion.mutate(undefined)}
        isSaving={deletion.isPending}
        error={deletion.error}
      >
        Nothing more is exported, and the stored key is deleted. Exported objects stay in the bucket.
      </Confirm>
    </Page>
  );
}

const steps = { WRITE: "write", READ: "read", DELETE: "delete" } as const;

const testOutcome = ({ ok, latencyMs, failedStep, error }: ExportTest) =>
  ok
    ? `An object was written, read and deleted in ${duration(latencyMs)}.`
    : `Could not ${failedStep === null ? "reach the storage" : `${steps[failedStep]} the test object`}: ${error ?? "unknown reason"}`;
