// Imports records into an application over the public API. Idempotency keys derive from application and record. If an
// interrupted import is repeated, the API therefore replays the calls that it had completed.

import { createHash } from "node:crypto";
import { bodyBytesMax } from "@ems/proto/limits";
import type { ApiClient, Json } from "../api.ts";
import { Failure } from "../failure.ts";
import type { Kind, TransferRecord } from "./record.ts";

/** Maximum rows in one bulk call, below the API's limits for rows and body size. */
const rowsMax = 500;
const testsMax = 100;
const linksMax = 100;

/** Creates a record's resource in the application and returns the resource's new id. */
type CreateResource = (data: Json, call: RecordCalls, ids: IdMap, fileId: string) => Promise<string | undefined>;

/** Makes the API calls for one record, with deterministic idempotency keys. */
interface RecordCalls {
  post(path: string, json: unknown): Promise<Json>;
  put(path: string, json: unknown): Promise<Json>;
  /** Defers a call, such as archiving, to the end of the import, because archived resources cannot be referenced. */
  atEnd(path: string, method?: string, json?: unknown): void;
}

/** Maps ids in the file to ids in the application. */
class IdMap {
  readonly #created = new Map<string, string>();

  set(kind: Kind, id: string, createdId: string): void {
    this.#created.set(`${kind}/${id}`, createdId);
  }

  find(kind: Kind, id: string): string | undefined {
    return this.#created.get(`${kind}/${id}`);
  }

  get(kind: Kind, id: string): string {
    const createdId = this.find(kind, id);
    if (createdId === undefined) throw new Failure(`it refers to ${kind} ${id}, which no earlier line defines`);
    return createdId;
  }
}

export class Importer {
  readonly ids = new IdMap();
  /** Number of write requests, and how many of them were replays of an earlier import. */
  readonly changes = { total: 0, replayed: 0 };
  readonly #api: ApiClient;
  readonly #atEnd: (() => Promise<Json>)[] = [];

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async add(record: TransferRecord): Promise<void> {
    const createdId = await creators[record.kind](record.data, this.#callsOf(record), this.ids, record.id);
    if (createdId !== undefined) this.ids.set(record.kind, record.id, createdId);
  }

  /** Runs the deferred calls in reverse order, so that parts of a resource come before the resource. */
  async finish(): Promise<void> {
    for (const call of this.#atEnd.toReversed()) await call();
  }

  #callsOf(record: TransferRecord): RecordCalls {
    let count = 0;
    const content = JSON.stringify(record);
    const key = () =>
      createHash("sha256").update(`${this.#api.applicationId}\n${content}\n${count++}`).digest("base64url");
    return {
      post: (path, json) => this.#change("POST", path, json, key()),
      put: (path, json) => this.#change("PUT", path, json, key()),
      atEnd: (path, method = "POST", json = {}) => {
        const ended = key();
        this.#atEnd.push(() => this.#change(method, path, json, ended));
      },
    };
  }

  async #change(method: string, path: string, json: unknown, key: string): Promise<Json> {
    const { headers, body } = await this.#api.send(method, path, { json, idempotencyKey: key });
    this.changes.total++;
    if (headers.has("idempotency-replayed")) this.changes.replayed++;
    return body;
  }
}

const creators: Record<Kind, CreateResource> = {
  async tag({ status, ...rest }, call) {
    const { id } = (await call.post("/v0/tags", rest)).data;
    if (status === "ARCHIVED") call.atEnd(`/v0/tags/${id}/archive`);
    return id;
  },

  async topic({ title, status, ...changed }, call) {
    const isArchived = status === "ARCHIVED";
    const { id } = (await call.post("/v0/topics", { title, ...(!isArchived && { status }) })).data;
    await call.put(`/v0/topics/${id}`, changed);
    if (isArchived) call.atEnd(`/v0/topics/${id}/archive`);
    return id;
  },

  async task({ status, isVerified, topicId, ...rest }, call, ids, fileId) {
    const isNew = status === "DRAFT" || status === "ACTIVE";
    const topic = topicId && { topicId: ids.get("topic", topicId) };
    const body = { ...rest, ...topic, ...(isNew && { status }) };
    const content = JSON.stringify(body);
    // A task that does not fit in a body comes as an import of one row.
    const isLarge = Buffer.byteLength(content) > bodyBytesMax;
    const id = isLarge
      ? // The id keeps equal tasks of an export apart.
        (await call.post("/v0/tasks/import", { format: "JSONL", content: JSON.stringify({ ...body, id: fileId }) }))
          .taskIds[0]
      : (await call.post("/v0/tasks", body)).task.id;
    if (isVerified) await call.put(`/v0/tasks/${id}`, { isVerified });
    if (status === "ARCHIVED") call.atEnd(`/v0/tasks/${id}/archive`);
    return id;
  },

  async tagging({ tagId, taskIds }, call, ids) {
    const tagIds = [ids.get("tag", tagId)];
    const mapped = taskIds.map((id: string) => ids.get("task", id));
    for (const chunk of chunks(mapped, rowsMax)) await call.post("/v0/tasks/tags", { tagIds, taskIds: chunk });
    return undefined;
  },

  async document({ versions, activeVersion, topicId, tagIds = [], ...fields }, call, ids) {
    const [first, ...laterVersions] = versions;
    const about = { ...fields, ...(topicId && { topicId: ids.get("topic", topicId) }) };
    const { id } = (await call.post("/v0/documents", { ...first, ...about })).document;
    for (const version of laterVersions) await call.post(`/v0/documents/${id}/versions`, version);
    if (activeVersion !== 1) await call.put(`/v0/documents/${id}/versions/${activeVersion}/activate`, {});
    const tags = tagIds.map((tagId: string) => ids.get("tag", tagId));
    if (tags.length > 0) await call.put(`/v0/documents/${id}/tags`, { tagIds: tags });
    return id;
  },

  async fact({ topicIds, sourceDocumentId, ...rest }, call, ids) {
    const source = sourceDocumentId && { sourceDocumentId: ids.get("document", sourceDocumentId) };
    const mapped = topicIds.map((topicId: string) => ids.get("topic", topicId));
    return (await call.post("/v0/facts", { ...rest, ...source, topicIds: mapped })).data.id;
  },

  async styleGuide(data, call) {
    return (await call.post("/v0/style-guides", data)).data.id;
  },

  async definition({ isLinkedToApplication, topics, taskIds = [], styleGuideId, ...rest }, call, ids) {
    const guide = styleGuideId && { styleGuideId: ids.get("styleGuide", styleGuideId) };
    const { id } = (await call.post("/v0/definitions", { ...rest, ...guide })).data;
    if (isLinkedToApplication) await call.post("/v0/definitions/link-application", { evalIds: [id] });
    const linksByConfig = Map.groupBy(topics as Json[], ({ config }) => JSON.stringify(config ?? null));
    for (const links of linksByConfig.values()) {
      const config = links[0].config && { config: links[0].config };
      const topicIds = links.map(({ topicId }) => ids.get("topic", topicId));
      for (const chunk of chunks(topicIds, linksMax))
        await call.post("/v0/definitions/link-topics", { evalIds: [id], topicIds: chunk, ...config });
    }
    const linked = taskIds.map((taskId: string) => ids.get("task", taskId));
    for (const chunk of chunks(linked, linksMax))
      await call.post("/v0/definitions/link", { evalIds: [id], taskIds: chunk });
    return id;
  },

  async inferenceStep(data, call) {
    return (await call.post("/v0/inference-steps", data)).data.id;
  },

  async experiment({ status, inferenceStepIds = [], taskIds = [], ...rest }, call, ids) {
    const { id } = (
      await call.post("/v0/experiments", {
        ...rest,
        inferenceStepIds: inferenceStepIds.map((stepId: string) => ids.get("inferenceStep", stepId)),
        taskIds: taskIds.map((taskId: string) => ids.get("task", taskId)),
      })
    ).data;
    const path = `/v0/experiments/${id}`;
    // Archive it last, because an archived experiment accepts no variants or results.
    if (status === "ARCHIVED") call.atEnd(path, "PUT", { status });
    else if (status !== undefined && status !== "DRAFT") await call.put(path, { status });
    return id;
  },

  async variant({ experimentId, parentId, isRejected, isPromoted, ...rest }, call, ids) {
    const path = `/v0/experiments/${ids.get("experiment", experimentId)}/variants`;
    const parent = parentId && { parentId: ids.get("variant", parentId) };
    const { id } = (await call.post(path, { ...rest, ...parent })).data;
    if (isPromoted) call.atEnd(`${path}/${id}/promote`);
    if (isRejected) call.atEnd(`${path}/${id}/reject`);
    return id;
  },

  async quickstart({ assignments, contradictions, ...rest }, call, ids) {
    const { id } = (await call.post("/v0/quickstarts", rest)).data;
    const mapped = assignments.map((assignment: Json) => ({
      ...assignment,
      topicId: ids.get("topic", assignment.topicId),
    }));
    for (const chunk of chunks(mapped, rowsMax))
      await call.post(`/v0/quickstarts/${id}/assignments/bulk`, { assignments: chunk });
    for (const chunk of chunks(contradictions as Json[], rowsMax)) await addContradictions(id, chunk, call, ids);
    return id;
  },

  async run({ tests, experimentVariantId, ...fields }, call, ids) {
    const run = {
      ...fields,
      ...(experimentVariantId && { experimentVariantId: ids.get("variant", experimentVariantId) }),
    };
    let runId: string | undefined;
    for (const chunk of chunks(tests as Json[], testsMax)) {
      const mapped = chunk.map(({ taskId, evaluations, ...test }) => ({
        ...test,
        taskId: ids.get("task", taskId),
        evaluations: evaluations.map((evaluation: Json) => ({
          ...evaluation,
          definitionId: ids.get("definition", evaluation.definitionId),
        })),
      }));
      const which = runId === undefined ? { run } : { runId };
      runId = (await call.post("/v0/tests/results", { ...which, tests: mapped })).run.id;
    }
    return runId;
  },
};

/** Adds a quickstart's contradictions. Ids of deleted documents are not in the file and stay unchanged. */
async function addContradictions(
  quickstartId: string,
  found: readonly Json[],
  call: RecordCalls,
  ids: IdMap,
): Promise<void> {
  const path = `/v0/quickstarts/${quickstartId}/contradictions`;
  const contradictions = found.map(({ resolved, assignedTo, documentAId, documentBId, ...rest }) => ({
    ...rest,
    documentAId: ids.find("document", documentAId) ?? documentAId,
    documentBId: ids.find("document", documentBId) ?? documentBId,
  }));
  const { data } = await call.post(path, { contradictions });
  for (const [at, { resolved, assignedTo }] of found.entries()) {
    const changed = { ...(resolved && { resolved }), ...(assignedTo && { assignedTo }) };
    if (Object.keys(changed).length > 0) await call.put(`${path}/${data[at].id}`, changed);
  }
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
