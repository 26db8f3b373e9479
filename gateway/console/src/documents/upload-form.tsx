// Form that uploads several files or a whole folder as documents, and shows what each became.

import { Alert, Button, Code, FileButton, Group, Select, Stack, Table, Text } from "@mantine/core";
import { FolderOpen, Upload as UploadIcon } from "lucide-react";
import { type DragEvent, useState } from "react";
import { useTopics } from "../topics/topic-names.ts";
import { Status } from "../ui/badges.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { bytes, count, plural, words } from "../ui/format.ts";
import { Picker } from "../ui/pick/picker.tsx";
import { documentTypes } from "./document-search.ts";
import classes from "./documents.module.css";
import {
  accepted,
  type FoundFile,
  type FoundFiles,
  filesMax,
  readDrop,
  selectFiles,
  toFound,
} from "./dropped-files.ts";
import { type Upload, useUpload } from "./use-upload.ts";

const types = documentTypes.map((value) => ({ value, label: words(value) }));
/** Attributes of an input that chooses a folder, which React's types lack. */
const folderInput = { name: "folder", webkitdirectory: "" };

export function UploadForm({ onClose }: { readonly onClose: () => void }) {
  const [documentType, setType] = useState<(typeof documentTypes)[number]>("KNOWLEDGE");
  const [topicId, setTopic] = useState<string | null>(null);
  const [found, setFound] = useState<FoundFiles>();
  const [error, setError] = useState<unknown>(null);
  const { uploads, isRunning, choose, start, stop } = useUpload();
  const rest = uploads.filter(({ state }) => state !== "DONE");
  const select = (files: readonly FoundFile[]) => {
    const selected = selectFiles(files);
    setError(null);
    setFound(selected);
    choose(selected.files);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (!isRunning) readDrop(event.dataTransfer.items).then(select).catch(setError);
  };
  const close = () => {
    stop();
    onClose();
  };
  const isDone = uploads.length > 0 && rest.length === 0;
  return (
    <FormModal
      title="Upload documents"
      submitLabel={isDone ? "Close" : rest.length === 0 ? "Upload" : `Upload ${plural(rest.length, "file")}`}
      size="xl"
      isOpen
      onClose={close}
      onSubmit={() => (isDone ? close() : void start({ documentType, topicId }))}
      isSaving={isRunning}
      error={error}
    >
      <section
        aria-label="Files to upload"
        className={classes.drop}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <Text size="sm">Drop files or folders here, or choose them.</Text>
        <Group gap="xs" justify="center">
          <FileButton
            multiple
            accept={accepted}
            onChange={(files) => select(toFound(files))}
            inputProps={{ name: "files" }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<UploadIcon size={14} />} disabled={isRunning}>
                Choose files
              </Button>
            )}
          </FileButton>
          <FileButton multiple onChange={(files) => select(toFound(files))} inputProps={folderInput}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<FolderOpen size={14} />} disabled={isRunning}>
                Choose a folder
              </Button>
            )}
          </FileButton>
        </Group>
        <Text size="xs" c="dimmed">
          Text, Markdown, HTML, JSON, CSV, PDF, Word or Excel. Documents are drafts until you activate a version.
        </Text>
      </section>
      <Group grow align="flex-start">
        <Select
          label="Type"
          allowDeselect={false}
          data={types}
          value={documentType}
          onChange={(value) => setType(documentTypes.find((each) => each === value) ?? "KNOWLEDGE")}
        />
        <Picker
          label="Topic"
          placeholder="None"
          source={useTopics}
          clearable
          clearButtonProps={{ "aria-label": "No topic" }}
          value={topicId}
          onChange={setTopic}
        />
      </Group>
      {found !== undefined && <Remarks found={found} />}
      {uploads.length > 0 && <Uploads uploads={uploads} />}
    </FormModal>
  );
}

function Remarks({ found: { files, ignored, isCut } }: { readonly found: FoundFiles }) {
  const listed = ignored.slice(0, 5).join(", ");
  return (
    <Stack gap={4}>
      {files.length === 0 && (
        <Alert color="yellow" p="xs">
          There are no files with text.
        </Alert>
      )}
      {isCut && (
        <Alert color="yellow" p="xs">
          {`Only the first ${count(filesMax)} files are uploaded. Upload the others afterwards.`}
        </Alert>
      )}
      {ignored.length > 0 && (
        <Text size="sm" c="dimmed">
          {`Ignored, not a document: ${listed}${ignored.length > 5 ? ` and ${count(ignored.length - 5)} more` : ""}`}
        </Text>
      )}
    </Stack>
  );
}

function Uploads({ uploads }: { readonly uploads: readonly Upload[] }) {
  const done = uploads.filter(({ state }) => state === "DONE").length;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">{`${count(done)} of ${plural(uploads.length, "file")} uploaded`}</Text>
      <div className={classes.uploads}>
        <Table aria-label="Files">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>File</Table.Th>
              <Table.Th ta="right">Size</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Became</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {uploads.map((upload) => (
              <Table.Tr key={upload.path}>
                <Table.Td>
                  <Code>{upload.path}</Code>
                </Table.Td>
                <Table.Td ta="right">{bytes(upload.file.size)}</Table.Td>
                <Table.Td>
                  <Status value={states[upload.state]} />
                </Table.Td>
                <Table.Td>{became(upload)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Stack>
  );
}

const states = { WAITING: "PENDING", RUNNING: "IN_PROGRESS", DONE: "COMPLETED", FAILED: "FAILED" } as const;

function became({ outcome }: Upload): string {
  if (outcome === undefined) return "";
  if ("error" in outcome) return outcome.error;
  const { documents, encoding } = outcome;
  const isUsual = encoding === null || encoding === "utf-8";
  return `${plural(documents, "document")}${isUsual ? "" : `, read as ${encoding}`}`;
}
