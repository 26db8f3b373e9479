// Form that imports tasks from a file. The API first checks the whole file; the form shows what its rows become.

import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { forgetUnsaved } from "../edits/unsaved.ts";
import { useUnstored } from "../edits/use-unsaved.ts";
import { FileField } from "../ui/file-field.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import { changeMapping } from "./import-file.ts";
import { ImportFindings } from "./import-findings.tsx";
import { readImportFile } from "./read-import-file.ts";
import { importTasks, refreshedByTasks } from "./task-requests.ts";

interface Settings {
  readonly mapping: Readonly<Record<string, string>>;
  readonly unmappedAsMetadata: boolean;
  readonly overwrite: boolean;
}

const usual: Settings = { mapping: {}, unmappedAsMetadata: false, overwrite: false };

export function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [content, setContent] = useState<string>();
  const [settings, setSettings] = useState(usual);
  const [unreadable, setUnreadable] = useState<string>();
  const checking = useChange(importTasks, { refreshes: [] });
  const unsaved = useUnstored(file !== null);
  const importing = useChange(importTasks, {
    refreshes: refreshedByTasks,
    isForm: true,
    onDone: () => {
      forgetUnsaved(unsaved.token);
      onClose();
    },
  });
  const checked = checking.data;
  const isRight = checked !== undefined && checked.errors.length === 0;
  const request = (text: string, name: string, chosen: Settings) => ({
    ...chosen,
    mapping: { ...chosen.mapping },
    content: text,
    source: name.slice(-200),
  });
  const choose = async (chosen: File | null) => {
    checking.reset();
    importing.reset();
    setFile(chosen);
    setContent(undefined);
    setSettings(usual);
    setUnreadable(undefined);
    if (chosen === null) return;
    try {
      const text = await readImportFile(chosen);
      setContent(text);
      checking.mutate({ ...request(text, chosen.name, usual), dryRun: true });
    } catch (error) {
      setUnreadable(error instanceof Error ? error.message : String(error));
    }
  };
  const change = (changed: Partial<Settings>) => {
    const next = { ...settings, ...changed };
    setSettings(next);
    if (file !== null && content !== undefined) checking.mutate({ ...request(content, file.name, next), dryRun: true });
  };
  const save = () => {
    if (file !== null && content !== undefined && isRight) importing.mutate(request(content, file.name, settings));
  };
  return (
    <FormModal
      title="Import tasks"
      submitLabel={isRight ? `Import ${plural(checked.rows, "task")}` : "Import"}
      size="xl"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={importing.isPending || checking.isPending}
      error={checking.error ?? importing.error}
      unsaved={unsaved}
    >
      <FileField
        label="File"
        description="Table with a header, JSON or YAML. Exports of Langfuse, OpenAI, promptfoo, DeepEval, Ragas, LangSmith, Braintrust and Phoenix are recognized"
        placeholder="Choose or drop a .csv, .xlsx, .json, .jsonl or .yaml file"
        accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson,.yaml,.yml"
        data-autofocus
        value={file}
        error={unreadable}
        onChange={(chosen) => void choose(chosen)}
      />
      <div aria-live="polite">
        {checked !== undefined && (
          <Stack gap="sm">
            <ImportFindings
              checked={checked}
              onMap={(name, field) => change({ mapping: changeMapping(settings.mapping, checked, name, field) })}
            />
            {(checked.unmappedColumns.length > 0 || settings.unmappedAsMetadata) && (
              <Checkbox
                label="Import other columns as metadata"
                checked={settings.unmappedAsMetadata}
                onChange={({ currentTarget }) => change({ unmappedAsMetadata: currentTarget.checked })}
              />
            )}
            {(checked.conflicts > 0 || settings.overwrite) && (
              <Checkbox
                label="Replace tasks that were edited here"
                checked={settings.overwrite}
                onChange={({ currentTarget }) => change({ overwrite: currentTarget.checked })}
              />
            )}
          </Stack>
        )}
      </div>
    </FormModal>
  );
}
