// Exports an application's resources as records, over the public API.

import { isOnScale } from "@ems/proto/scales";
import type { ApiClient, Json, ListQuery } from "../api.ts";
import { ExportOrder } from "./order.ts";
import { allStatuses, documentTypes, type Kind, pick, type TransferRecord } from "./record.ts";
import { promptFields } from "./task-table.ts";

export interface ExportProgress {
  /** Announces the number of records that will follow of a kind. */
  begin(kind: Kind, total: number): void;
  step(): void;
}

// biome-ignore format: several per line
const topicFields = [
  "title", "baseline", "status", "isInScope", "isTasksVerified", "isDocumentsVerified",
  "isKnowledgeBaseVerified", "isPoliciesVerified", "assignedTo",
];
const versionFields = ["title", "content", "language", "status", "metadata", "originalSentences"];
const factFields = ["statement", "scope", "status", "sourceQuote", "sourceDocumentId", "generatedBy", "isVerified"];
const contradictionFields = [
  "reason",
  "passageA",
  "passageB",
  "documentAId",
  "documentBId",
  "documentTestId",
  "resolved",
  "assignedTo",
];
const testFields = ["taskId", "status", "score", "passed", "durationMs", "createdAt"];
const evaluationFields = ["definitionId", "status", "score", "passed", "message", "results"];

/** Yields all resources of the application whose kind the API can both read and create. */
export async function* exportRecords(api: ApiClient, progress: ExportProgress): AsyncGenerator<TransferRecord> {
  const order = new ExportOrder();
  for await (const record of records(api, progress, order)) {
    order.add(record.id);
    yield record;
  }
}

async function* records(api: ApiClient, progress: ExportProgress, order: ExportOrder): AsyncGenerator<TransferRecord> {
  const list = (kind: Kind, path: string, query?: ListQuery) =>
    counted(
      api.list(`/v0/${path}`, query, (total) => progress.begin(kind, total)),
      progress,
    );
  const plain = async function* (kind: Kind, path: string, fields: readonly string[], query?: ListQuery) {
    for await (const row of list(kind, path, query)) yield { kind, id: row.id, data: pick(row, fields) };
  };

  const tagIds: string[] = [];
  for await (const tag of plain("tag", "tags", ["name", "color", "description", "status"], {
    status: allStatuses.tag,
  })) {
    tagIds.push(tag.id);
    yield tag;
  }
  const links: TopicLink[] = [];
  for await (const topic of list("topic", "topics", { status: allStatuses.topic })) {
    for (const { evalDefinition, config } of topic.evalDefinitions)
      links.push({ definitionId: evalDefinition.id, topicId: topic.id, ...(config && { config }) });
    yield { kind: "topic", id: topic.id, data: pick(topic, topicFields) };
  }
  // biome-ignore format: several per line
  const taskFields = [
    "title", "description", "topicId", "type", "status", "isVerified",
    "metadata", "simulatedPromptSchema",
  ];
  // Listed tasks contain their tags and definitions, so collect the links here: no request per tag or definition.
  const taskIdsByTag = new Map<string, string[]>();
  for await (const task of list("task", "tasks", { status: allStatuses.task })) {
    for (const { id } of [...task.tags, ...task.evalDefinitions]) append(taskIdsByTag, id, task.id);
    yield { kind: "task", id: task.id, data: { ...pick(task, taskFields), ...promptFields(task) } };
  }
  yield* taggings(tagIds, taskIdsByTag, progress, order);
  for (const type of documentTypes) {
    for (const documentStatus of allStatuses.document) {
      yield* documents(api, list("document", "documents", { type, documentStatus }));
    }
  }
  for await (const fact of list("fact", "facts"))
    yield { kind: "fact", id: fact.id, data: { ...pick(fact, factFields), topicIds: order.ids(fact.topicIds) } };
  yield* plain("styleGuide", "style-guides", ["content"]);
  for (const definitionStatus of allStatuses.definition) {
    for await (const definition of list("definition", "definitions", { definitionStatus }))
      yield definitionRecord(definition, links, taskIdsByTag, order);
  }
  yield* plain("inferenceStep", "inference-steps", ["title", "description", "type", "externalId"]);
  for await (const experiment of list("experiment", "experiments")) yield* experimentRecords(api, experiment, progress);
  for await (const quickstart of list("quickstart", "quickstarts"))
    yield await quickstartRecord(api, quickstart, order);
  for await (const run of list("run", "runs")) yield await runRecord(api, run, order);
}

async function* counted(rows: AsyncIterable<Json>, progress: ExportProgress): AsyncGenerator<Json> {
  for await (const row of rows) {
    yield row;
    progress.step();
  }
}

type TaskIdsByTag = ReadonlyMap<string, readonly string[]>;

function append(lists: Map<string, string[]>, key: string, value: string) {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Yields a record with the tasks of each tag. */
function* taggings(
  tagIds: readonly string[],
  taskIdsByTag: TaskIdsByTag,
  progress: ExportProgress,
  order: ExportOrder,
) {
  progress.begin("tagging", tagIds.length);
  for (const tagId of tagIds) {
    const taskIds = taskIdsByTag.get(tagId);
    if (taskIds !== undefined) {
      yield { kind: "tagging", id: tagId, data: { tagId, taskIds: order.ids(taskIds) } } as const;
    }
    progress.step();
  }
}

async function* documents(api: ApiClient, rows: AsyncIterable<Json>) {
  for await (const row of rows) {
    const { id, status, activeVersionNumber, tags } = row;
    const { versions } = await api.get(`/v0/documents/${id}/versions`);
    const data = {
      ...pick(row, ["topicId", "assignee", "type", "scrapeJobId"]),
      documentStatus: status,
      tagIds: tags.map((tag: Json) => tag.id),
      // Reverse the order, because the API lists the newest version first.
      versions: versions.reverse().map((version: Json) => pick(version, versionFields)),
      activeVersion: activeVersionNumber,
    };
    yield { kind: "document", id, data } as const;
  }
}

interface TopicLink {
  readonly definitionId: string;
  readonly topicId: string;
  readonly config?: Json;
}

function definitionRecord(
  definition: Json,
  links: readonly TopicLink[],
  taskIdsByTag: TaskIdsByTag,
  order: ExportOrder,
): TransferRecord {
  const topics = links
    .filter(({ definitionId }) => definitionId === definition.id)
    .map(({ topicId, config }) => ({ topicId, ...(config && { config }) }));
  const data = {
    ...pick(definition, ["type", "name", "globalConfig", "styleGuideId"]),
    isLinkedToApplication: definition.application !== null,
    topics,
    taskIds: order.ids(taskIdsByTag.get(definition.id) ?? []),
  };
  return { kind: "definition", id: definition.id, data };
}

const experimentFields = ["title", "description", "assignee", "inferenceStepIds", "taskIds"];

/** Yields an experiment and its variants, parents first. Omits the status of one with variants, whose runs determine it. */
async function* experimentRecords(api: ApiClient, experiment: Json, progress: ExportProgress) {
  const { id, status, promotedVariantId } = experiment;
  const found = await all(api.list(`/v0/experiments/${id}/variants`));
  const ofItself = found.length === 0 || status === "ARCHIVED" ? { status } : {};
  yield { kind: "experiment", id, data: { ...pick(experiment, experimentFields), ...ofItself } } as const;
  progress.begin("variant", found.length);
  for (const row of found.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const data = {
      experimentId: id,
      ...pick(row, ["title", "description", "configPatch", "parentId"]),
      ...(row.status === "REJECTED" && { isRejected: true }),
      ...(row.id === promotedVariantId && { isPromoted: true }),
    };
    yield { kind: "variant", id: row.id, data } as const;
    progress.step();
  }
}

async function quickstartRecord(api: ApiClient, quickstart: Json, order: ExportOrder): Promise<TransferRecord> {
  const path = `/v0/quickstarts/${quickstart.id}`;
  const [assignments, contradictions] = await Promise.all([
    all(api.list(`${path}/assignments`)),
    all(api.list(`${path}/contradictions`)),
  ]);
  const data = {
    ...pick(quickstart, ["title", "description"]),
    assignments: order.rows(
      assignments.map((assignment) => pick(assignment, ["stage", "topicId", "assignedTo"])),
      ["topicId", "stage"],
    ),
    contradictions: order.rows(
      contradictions.map((contradiction) => pick(contradiction, contradictionFields)),
      contradictionFields,
    ),
  };
  return { kind: "quickstart", id: quickstart.id, data };
}

async function runRecord(api: ApiClient, run: Json, order: ExportOrder): Promise<TransferRecord> {
  const tests: Json[] = [];
  for await (const test of api.continuedList(`/v0/runs/${run.id}/results`)) tests.push(testData(test, order));
  const data = {
    ...pick(run, ["type", "title", "experimentVariantId"]),
    tests: order.rows(tests, ["createdAt", ...testFields, "evaluations"]),
  };
  return { kind: "run", id: run.id, data };
}

function testData(test: Json, order: ExportOrder) {
  const evaluations = test.evaluations.map((evaluation: Json) => {
    // An import refuses scores outside their scale, which older versions recorded.
    const isKept = evaluation.score === null || isOnScale(1e6 * evaluation.score, evaluation.definitionType);
    return pick(isKept ? evaluation : { ...evaluation, score: null }, evaluationFields);
  });
  return { ...pick(test, testFields), evaluations: order.rows(evaluations, evaluationFields) };
}

async function all(rows: AsyncIterable<Json>): Promise<Json[]> {
  const found: Json[] = [];
  for await (const row of rows) found.push(row);
  return found;
}
