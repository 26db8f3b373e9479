// Form for the storage, the data and the period of scheduled exports. The API never returns the secret access key.

import { Checkbox, Group, Input, Select, Stack, Switch, TextInput } from "@mantine/core";
import type { Loaded } from "../api/conditional.ts";
import { fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { SecretField, StoredSecret } from "../ui/secret-field.tsx";
import { unmanaged } from "../ui/unmanaged.ts";
import { type ExportDraft, needsSecret, toDraft, toRequest } from "./export-draft.ts";
import { type ExportSettings, refreshedByExports, updateExportSettings } from "./export-requests.ts";

export interface ExportFormProps {
  readonly loaded: Loaded<{ readonly data: ExportSettings | null }>;
  readonly onClose: () => void;
}

const field = fieldFor<ExportDraft>();
const fields = [
  field("endpoint", "Endpoint"),
  field("region", "Region"),
  field("bucket", "Bucket"),
  field("prefix", "Prefix"),
  field("pathStyle", "Bucket in the path"),
  field("accessKeyId", "Access key id"),
  // Never display a key. An empty field means that the stored key is kept.
  field("secretAccessKey", "Secret access key", (key) => (key === "" ? "Stored key" : "New key")),
  field("traces", "Traces"),
  field("tests", "Tests"),
  field("interval", "Interval", words),
  field("enabled", "Enabled"),
];
const intervals = [
  { value: "HOURLY", label: "Hourly" },
  { value: "DAILY", label: "Daily" },
];
/** Props of text fields that are no credentials of this product. */
const plain = (name: string) => ({ ...unmanaged, name, autoComplete: "off" });

export function ExportForm({ loaded, onClose }: ExportFormProps) {
  const stored = loaded.body.data;
  const edit = useEdit({
    loaded,
    toDraft: ({ data }) => toDraft(data),
    fields,
    secrets: ["secretAccessKey"],
    makeRequest: (draft) => updateExportSettings(toRequest(draft)),
    refreshes: refreshedByExports,
    onSaved: onClose,
  });
  const { draft } = edit;
  const isNeeded = needsSecret(draft, stored);
  const secret = (
    <SecretField
      label="Secret access key"
      description={
        stored !== null && isNeeded
          ? "Enter it again: a key is only used with the endpoint and key id that it was set for"
          : "Stored encrypted and never displayed"
      }
      required={isNeeded}
      flex={1}
      {...edit.input("secretAccessKey")}
    />
  );
  return (
    <FormModal
      title={stored === null ? "Set up exports" : "Edit exports"}
      size="lg"
      {...edit.modal}
      submitLabel="Save"
      onClose={onClose}
    >
      <TextInput
        label="Endpoint"
        description="URL of the S3-compatible storage: https, with a public host"
        type="url"
        placeholder="https://s3.eu-central-1.amazonaws.com"
        required
        data-autofocus
        {...plain("endpoint")}
        {...edit.input("endpoint")}
      />
      <Group grow align="flex-start">
        <TextInput label="Bucket" required {...plain("bucket")} {...edit.input("bucket")} />
        <TextInput label="Region" placeholder="us-east-1" {...plain("region")} {...edit.input("region")} />
      </Group>
      <TextInput
        label="Prefix"
        description="Start of the names of objects, such as ems/production"
        placeholder="None"
        {...plain("prefix")}
        {...edit.input("prefix")}
      />
      <Checkbox
        label="Bucket in the path"
        description="https://host/bucket instead of https://bucket.host"
        {...edit.check("pathStyle")}
      />
      <TextInput label="Access key id" required {...plain("storage-key")} {...edit.input("accessKeyId")} />
      {isNeeded ? (
        secret
      ) : (
        <StoredSecret
          label="Secret access key"
          description="The stored key is kept"
          replaceLabel="Replace key"
          error={edit.errors.secretAccessKey}
          onKeep={() => edit.set({ secretAccessKey: "" })}
        >
          {secret}
        </StoredSecret>
      )}
      <Group grow align="flex-start">
        <Input.Wrapper label="Data" error={edit.errors.datasets} labelElement="div">
          <Stack gap={6} mt={6}>
            <Checkbox label="Traces" {...edit.check("traces")} />
            <Checkbox label="Tests" {...edit.check("tests")} />
          </Stack>
        </Input.Wrapper>
        <Select
          label="Interval"
          description="Periods in UTC"
          allowDeselect={false}
          data={intervals}
          {...edit.input("interval")}
        />
      </Group>
      <Switch label="Enabled" {...edit.check("enabled")} />
    </FormModal>
  );
}
