// An application as records, read over the public API.

import type { ApiClient, Json, ListQuery } from "../api.ts";
import { Places } from "./order.ts";
import { allStatuses, type Kind, pick, type TransferRecord } from "./record.ts";

export interface ExportProgress {
  /** So many things of a kind are to come. */
  begin(kind: Kind, total: number): void;
  step(): void;
}

/** How many are read at the same time. */
const atOnce = 8;

const topicFields = [
  ...["title", "baseline", "status", "isInScope", "isTasksVerified", "isDocumentsVerified"],
  ...["isKnowledgeBaseVerified", "isPoliciesVerified", "assignedTo"],
];
const versionFields = ["title", "content", "language", "status", "metadata", "originalSentences"];
const contradictionFields = [
  ...["reason", "passageA", "passageB", "documentAId", "documentBId", "documentTestId", "resolved", "assignedTo"],
];
const testFields = ["taskId", "status", "score", "passed", "durationMs", "createdAt"];
const evaluationFields = ["definitionId", "status", "score", "passed"];

/** Everything that the application owns and that the API can both show and create. */
export async function* exported(api: ApiClient, progress: ExportProgress): AsyncGenerator<TransferRecord> {
  const places = new Places();
  for await (const record of records(api, progress, places)) {
    places.add(record.id);
    yield record;
  }
}

async function* records(api: ApiClient, progress: ExportProgress, places: Places): AsyncGenerator<TransferRecord> {
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
  const taskFields = ["title", "description", "topicId", "type", "status", "isVerified", "prompts"];
  yield* plain("task", "tasks", taskFields, { status: allStatuses.task });
  yield* taggings(api, tagIds, progress, places);
  yield* documents(api, list("document", "documents"));
  yield* plain("styleGuide", "style-guides", ["content"]);
  for await (const definition of list("definition", "definitions"))
    yield await definitionRecord(api, definition, links, places);
  yield* plain("inferenceStep", "inference-steps", ["title", "description", "type", "externalId"]);
  const experimentFields = ["title", "description", "status", "assignee", "inferenceStepIds", "taskIds"];
  yield* plain("experiment", "experiments", experimentFields);
  for await (const quickstart of list("quickstart", "quickstarts"))
    yield await quickstartRecord(api, quickstart, places);
  for await (const run of list("run", "runs")) yield await runRecord(api, run, places);
}

async function* counted(rows: AsyncIterable<Json>, progress: ExportProgress): AsyncGenerator<Json> {
  for await (const row of rows) {
    yield row;
    progress.step();
  }
}

/** Which tasks bear a tag. */
async function* taggings(api: ApiClient, tagIds: readonly string[], progress: ExportProgress, places: Places) {
  progress.begin("tagging", tagIds.length);
  for (const tagId of tagIds) {
    const tasks = await all(api.list("/v0/tasks", { tagId, status: allStatuses.task }));
    const data = { tagId, taskIds: places.ids(tasks.map(({ id }) => id)) };
    if (tasks.length > 0) yield { kind: "tagging", id: tagId, data } as const;
    progress.step();
  }
}

async function* documents(api: ApiClient, rows: AsyncIterable<Json>) {
  for await (const { id, topicId, assignee, activeVersion } of rows) {
    const { versions } = await api.get(`/v0/documents/${id}/versions`);
    const data = {
      ...pick({ topicId, assignee }, ["topicId", "assignee"]),
      // The API has the highest number first.
      versions: versions.reverse().map((version: Json) => pick(version, versionFields)),
      activeVersion: activeVersion.versionNumber,
    };
    yield { kind: "document", id, data } as const;
  }
}

interface TopicLink {
  readonly definitionId: string;
  readonly topicId: string;
  readonly config?: Json;
}

async function definitionRecord(
  api: ApiClient,
  definition: Json,
  links: readonly TopicLink[],
  places: Places,
): Promise<TransferRecord> {
  const tasks = await all(api.list("/v0/tasks", { definitionId: definition.id, status: allStatuses.task }));
  const topics = links
    .filter(({ definitionId }) => definitionId === definition.id)
    .map(({ topicId, config }) => ({ topicId, ...(config && { config }) }));
  const data = {
    ...pick(definition, ["type", "name", "globalConfig", "styleGuideId"]),
    isLinkedToApplication: definition.application !== null,
    topics,
    taskIds: places.ids(tasks.map(({ id }) => id)),
  };
  return { kind: "definition", id: definition.id, data };
}

async function quickstartRecord(api: ApiClient, quickstart: Json, places: Places): Promise<TransferRecord> {
  const path = `/v0/quickstarts/${quickstart.id}`;
  const [assignments, contradictions] = await Promise.all([
    all(api.list(`${path}/assignments`)),
    all(api.list(`${path}/contradictions`)),
  ]);
  const data = {
    ...pick(quickstart, ["title", "description"]),
    assignments: places.things(
      assignments.map((one) => pick(one, ["stage", "topicId", "assignedTo"])),
      ["topicId", "stage"],
    ),
    contradictions: places.things(
      contradictions.map((one) => pick(one, contradictionFields)),
      contradictionFields,
    ),
  };
  return { kind: "quickstart", id: quickstart.id, data };
}

async function runRecord(api: ApiClient, run: Json, places: Places): Promise<TransferRecord> {
  const tests: Json[] = [];
  const ids = (await all(api.list("/v0/tests", { runId: run.id }))).map(({ id }) => id);
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce).map(async (id) => (await api.get(`/v0/tests/${id}`)).test);
    tests.push(...(await Promise.all(some)));
  }
  const found = tests.map((test) => testData(test, places));
  const data = {
    ...pick(run, ["type", "title"]),
    tests: places.things(found, ["createdAt", ...testFields, "evaluations"]),
  };
  return { kind: "run", id: run.id, data };
}

function testData(test: Json, places: Places) {
  const evaluations = test.evaluations.map((one: Json) => pick(one, evaluationFields));
  return { ...pick(test, testFields), evaluations: places.things(evaluations, evaluationFields) };
}

async function all(rows: AsyncIterable<Json>): Promise<Json[]> {
  const found: Json[] = [];
  for await (const row of rows) found.push(row);
  return found;
}
