// Form that imports tasks from a file. The API first checks the whole file, and the form lists the errors by row.

import { FileInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import type { Schemas } from "../api/request.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { countErrors, describeCheck, displayedMax, findFormat } from "./import-file.ts";
import { readTextFile } from "./read-text-file.ts";
import { importTasks, refreshedByTasks } from "./task-requests.ts";

type Checked = Schemas["ImportTasksResponse"];
type Fault = Checked["errors"][number];

interface Row extends Fault {
  readonly id: string;
}

const columns: readonly Column<Row>[] = [
  { id: "row", label: "Row", isNumber: true, isFixed: true, cell: ({ row }) => row },
  { id: "field", label: "Field", width: 140, cell: ({ field }) => field },
  { id: "message", label: "Error", width: 320, cell: ({ message }) => message },
];

export function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [content, setContent] = useState<string>();
  const [unreadable, setUnreadable] = useState<string>();
  const checking = useChange(importTasks, { refreshes: [] });
  const importing = useChange(importTasks, { refreshes: refreshedByTasks, onDone: onClose });
  const checked = checking.data;
  const isRight = checked !== undefined && checked.errors.length === 0;
  const choose = async (chosen: File | null) => {
    checking.reset();
    importing.reset();
    setFile(chosen);
    setContent(undefined);
    setUnreadable(undefined);
    if (chosen === null) return;
    try {
      const text = await readTextFile(chosen);
      setContent(text);
      checking.mutate({ format: findFormat(chosen), content: text, dryRun: true });
    } catch (error) {
      setUnreadable(error instanceof Error ? error.message : String(error));
    }
  };
  const save = () => {
    if (file !== null && content !== undefined && isRight) importing.mutate({ format: findFormat(file), content });
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
    >
      <FileInput
        label="File"
        description="CSV with a header, or one JSON object per line. Fields: title, description, prompt, topic, tags, definitions, expected"
        placeholder="Choose a .csv or .jsonl file"
        accept=".csv,.jsonl,.ndjson"
        data-autofocus
        value={file}
        error={unreadable}
        onChange={(chosen) => void choose(chosen)}
      />
      <div aria-live="polite">{checked !== undefined && <Findings checked={checked} />}</div>
    </FormModal>
  );
}

function Findings({ checked }: { readonly checked: Checked }) {
  const { errors } = checked;
  if (errors.length === 0) return <Text size="sm">{describeCheck(checked)}</Text>;
  return (
    <Stack gap="xs">
      <Text size="sm" c="var(--ems-bad)">
        {describeCheck(checked)}
      </Text>
      <DataTable
        label="Errors"
        columns={columns}
        rows={errors.slice(0, displayedMax).map((fault, at) => ({ ...fault, id: String(at) }))}
        skeletonRows={0}
      />
      {countErrors(checked) > displayedMax && (
        <Text size="xs" c="dimmed">{`Showing the first ${displayedMax} errors.`}</Text>
      )}
    </Stack>
  );
}
