// Builds the response of an import. Pure.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { buildMessage } from "@ems/kit/message";
import { ImportTasksResponseSchema, TaskImportPreviewSchema } from "@ems/proto/catalog/v1/task_service";
import { taskImportErrorsBytesMax, taskImportPreviewMax } from "@ems/proto/limits";
import { listExamples } from "./examples.ts";
import type { ImportDraft } from "./import-drafts.ts";
import { FaultList, type ReportedFaults, reportFaults } from "./import-faults.ts";
import type { DecidedTask, ImportAction } from "./import-states.ts";
import type { ReadRows, Waiting } from "./shapes/index.ts";

export interface ReadTasks extends Omit<ReadRows, "rows">, ReportedFaults {
  readonly drafts: readonly ImportDraft[];
}

interface Outcome {
  readonly dryRun: boolean;
  readonly definitionsCreated: number;
  /** Further parts that wait, which the state of the application determines. */
  readonly waiting: readonly Waiting[];
}

const columnsMax = 100;
const faultyColumnsMax = 10;
const textLengthMax = 200;
const nameLengthMax = 100;
const promptsMax = 3;
const listMax = 10;

export function importResponse(
  read: ReadTasks,
  tasks: readonly DecidedTask[],
  { dryRun, definitionsCreated, waiting: more }: Outcome,
) {
  const { faults, omitted, shape, format } = read;
  const countTasks = (action: ImportAction) => BigInt(tasks.filter((task) => task.action === action).length);
  // A response with errors is bounded by these, so that it lists few columns.
  const limit = faults.length > 0 ? faultyColumnsMax : columnsMax;
  const columns = read.columns.map(({ name, becomes }) => ({
    name: shorten(name, nameLengthMax),
    becomes: shorten(becomes, nameLengthMax),
  }));
  const waiting = reportWaiting([...read.waiting, ...more]);
  return buildMessage(ImportTasksResponseSchema, {
    dryRun,
    rows: BigInt(read.count),
    created: dryRun ? 0n : countTasks("CREATE"),
    taskIds: dryRun ? [] : tasks.map(({ row }) => row.id),
    errors: faults.map(toError),
    issuesOmitted: BigInt(omitted),
    replacedCharacters: BigInt(read.replacedCharacters),
    shape: shape ?? null,
    format: format ?? null,
    updated: countTasks("UPDATE"),
    unchanged: countTasks("UNCHANGED"),
    conflicts: countTasks("CONFLICT"),
    blankRows: BigInt(read.blankRows),
    columns: columns.slice(0, limit),
    unmappedColumns: columns.flatMap(({ name, becomes }) => (becomes === "" ? [name] : [])).slice(0, limit),
    preview: dryRun && faults.length === 0 ? preview(read, tasks) : [],
    notImportedYet: waiting.faults.map(toError),
    notImportedYetOmitted: BigInt(waiting.omitted),
    notes: [...read.notes],
    definitionsCreated: BigInt(definitionsCreated),
  });
}

/** Bounds the list of waiting parts as errors are bounded. */
function reportWaiting(waiting: readonly Waiting[]): ReportedFaults {
  const list = new FaultList();
  for (const part of waiting) list.add(part);
  return reportFaults(list);
}

const toError = ({ row, ...fault }: ReportedFaults["faults"][number]) => ({ ...fault, row: BigInt(row) });

function preview({ drafts }: ReadTasks, tasks: readonly DecidedTask[]) {
  const byDraft = new Map(tasks.map((task) => [task.draft, task]));
  let bytes = 0;
  const rows = drafts.slice(0, taskImportPreviewMax).map((draft) => previewRow(draft, byDraft.get(draft)));
  return rows.filter((row) => {
    bytes += Buffer.byteLength(JSON.stringify({ ...row, row: 0 }));
    return bytes <= taskImportErrorsBytesMax;
  });
}

function previewRow(
  draft: ImportDraft,
  task: DecidedTask | undefined,
): MessageInitShape<typeof TaskImportPreviewSchema> {
  const { request, row, id } = draft;
  const inputs =
    request.examples.length > 0
      ? request.examples.map(({ input }) => input)
      : [...request.inputExamples, ...request.prompts];
  const short = (text: string) => shorten(text, textLengthMax);
  return buildMessage(TaskImportPreviewSchema, {
    row: BigInt(row),
    action: task?.action ?? null,
    id: id === undefined ? null : shorten(id, nameLengthMax),
    title: short(request.title),
    description: short(request.description),
    prompts: inputs.slice(0, promptsMax).map(short),
    expected: expectations(draft, task).slice(0, listMax).map(short),
    metadataKeys: Object.keys(request.metadata ?? {})
      .slice(0, listMax)
      .map((name) => shorten(name, nameLengthMax)),
    definitions: [...draft.definitions, ...draft.evaluators.map(({ name }) => name)]
      .slice(0, listMax)
      .map((name) => shorten(name, nameLengthMax)),
  });
}

/** Lists what the examples expect, or else what the links expect. */
function expectations({ expected, evaluators }: ImportDraft, task: DecidedTask | undefined): string[] {
  const ofExamples = task === undefined ? [] : listExamples(task.row).flatMap((example) => example.expected ?? []);
  if (ofExamples.length > 0) return ofExamples;
  const ofLinks = expected.expectedList ?? expected.expected ?? [];
  return [ofLinks, evaluators.map((each) => each.expected)].flat(2).filter((text) => text !== "");
}

function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
