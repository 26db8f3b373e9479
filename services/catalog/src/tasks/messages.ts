import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { tooLarge } from "@ems/kit/errors";
import { assertResourceFits } from "@ems/kit/events/publish";
import { writeJson } from "@ems/kit/json/write";
import { buildMessage } from "@ems/kit/message";
import { definedFields } from "@ems/kit/patch";
import type { CoreTagSchema } from "@ems/proto/catalog/v1/tag_service";
import {
  ListedTaskSchema,
  ScheduleCriticality,
  TaskExampleSchema,
  TaskSchema,
} from "@ems/proto/catalog/v1/task_service";
import type { Application } from "@ems/proto/identity/v1/application_service";
import { sizeText, taskBytesMax } from "@ems/proto/limits";
import { type DefinitionLink, evalDefinition, taskEvalDefinition } from "../definitions/index.ts";
import type { taskMetrics } from "../metrics/index.ts";
import { eventData } from "../sizes.ts";
import type { TaskRow } from "./entity.ts";
import { exampleMessages } from "./examples.ts";

export type TaskReadRow = TaskRow & { readonly lastTest: Date | null; readonly schedule: ScheduleJson | null };

/** A schedule as JSON from PostgreSQL, with times as text. */
interface ScheduleJson {
  readonly cron: string;
  readonly timezone: string;
  readonly criticality: keyof typeof ScheduleCriticality;
  readonly lastRunAt: string | null;
  readonly nextRunAt: string | null;
}

function taskSchedule({ applicationId, id, status, schedule }: TaskReadRow) {
  if (schedule === null) return null;
  const { cron, timezone, criticality, lastRunAt, nextRunAt } = schedule;
  const toTimestamp = (text: string | null) => (text === null ? undefined : timestampFromDate(new Date(text)));
  return {
    applicationId,
    taskId: id,
    cron,
    timezone,
    criticality: ScheduleCriticality[criticality],
    ...definedFields({
      lastRunAt: toTimestamp(lastRunAt),
      // An archived task has no next run.
      nextRunAt: status === "ARCHIVED" ? undefined : toTimestamp(nextRunAt),
    }),
  };
}

/** Definitions linked to a task, and their application. */
export interface TaskDefinitions {
  readonly links: readonly DefinitionLink[];
  readonly application: Application | undefined;
}

type TaskMetrics = Omit<ReturnType<typeof taskMetrics>, "combined"> &
  Pick<MessageInitShape<typeof TaskSchema>, "breakdown">;

const noMetrics = { monitoring: null, synthetic: null, monitoringPassRate: null, passRate: null };

/** Builds the message of a task. Events omit `metrics`. */
export function task(row: TaskReadRow, { links, application }: TaskDefinitions, metrics?: TaskMetrics) {
  return buildMessage(TaskSchema, {
    ...noMetrics,
    ...row,
    ...metrics,
    breakdown: metrics?.breakdown ?? null,
    taskSchedule: metrics === undefined ? null : taskSchedule(row),
    inputExamples: row.prompts,
    examples: exampleMessages(row),
    evalDefinitions: links.map((link) => taskEvalDefinition(link, application)),
  });
}

/**
 * Builds an event's data. If it is too large, omits the definitions, and `prompts` and `inputExamples`, which repeat
 * `examples`; if it still is, omits the examples.
 */
export function archivedTask(row: TaskReadRow, definitions: TaskDefinitions) {
  const views = { evalDefinitions: [], prompts: [], inputExamples: [] };
  const data = eventData(TaskSchema, task(row, definitions), views);
  return eventData(TaskSchema, data, { ...views, examples: [] });
}

/**
 * Throws if the task is too large for a response, or one of its prompts with the task's texts for an event. An
 * expectation is not sent with prompts.
 */
export function assertTaskFits(row: TaskReadRow): void {
  const whole = task(row, { links: [], application: undefined });
  const withOne = { ...whole, prompts: [], inputExamples: [], examples: largestExample(row) };
  assertResourceFits(TaskSchema, withOne);
  // The views repeat all texts, so that a small task needs no second measurement.
  const isSmall = row.prompts.length <= 1 && row.examples === null;
  if (!isSmall && Buffer.byteLength(JSON.stringify(writeJson(TaskSchema, create(TaskSchema, whole)))) > taskBytesMax)
    throw tooLarge(`The task is too large: the maximum with all examples is ${sizeText(taskBytesMax)}`);
}

function largestExample(row: TaskRow) {
  const sent = exampleMessages(row).map(({ input, metadata }) =>
    create(TaskExampleSchema, { input, ...definedFields({ metadata }) }),
  );
  const sizes = sent.map(({ input, metadata }) => Buffer.byteLength(JSON.stringify([input, metadata])));
  return sent.slice(sizes.indexOf(Math.max(...sizes))).slice(0, 1);
}

export function listedTask(
  row: TaskReadRow,
  { links, application }: TaskDefinitions,
  metrics: ReturnType<typeof taskMetrics>,
  tags: readonly MessageInitShape<typeof CoreTagSchema>[],
) {
  return buildMessage(ListedTaskSchema, {
    ...row,
    ...metrics,
    inputExamples: row.prompts,
    examples: exampleMessages(row),
    evalDefinitions: links.map(({ definition }) => evalDefinition(definition, application)),
    tags: [...tags],
    taskSchedule: taskSchedule(row),
  });
}
