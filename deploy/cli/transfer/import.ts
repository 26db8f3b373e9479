// Records into an application, over the public API. Every call has an idempotency key that follows from application and
// record: a run that was cut off is run again, and what it did already is answered from memory.

import { createHash } from "node:crypto";
import type { ApiClient, Json } from "../api.ts";
import { Failure } from "../failure.ts";
import type { Kind, TransferRecord } from "./record.ts";

/** Rows of one bulk call: far below what the API takes, and small enough for its largest body. */
const rowsMax = 500;
const testsMax = 100;
const linksMax = 100;

/** Makes one record's thing, and whatever belongs to it. */
type Make = (data: Json, call: Call, ids: Ids) => Promise<string | undefined>;

/** One call of a record; its key is that of the same call in the next run. */
interface Call {
  post(path: string, json: unknown): Promise<Json>;
  put(path: string, json: unknown): Promise<Json>;
  /** At the end of the import: an archived thing takes no more part in anything. */
  atEnd(path: string): void;
}

/** What things of the file are called in the application. */
class Ids {
  readonly #known = new Map<string, string>();

  set(kind: Kind, id: string, made: string): void {
    this.#known.set(`${kind}/${id}`, made);
  }

  find(kind: Kind, id: string): string | undefined {
    return this.#known.get(`${kind}/${id}`);
  }

  get(kind: Kind, id: string): string {
    const made = this.find(kind, id);
    if (made === undefined) throw new Failure(`it names the ${kind} ${id}, which does not stand before it`);
    return made;
  }
}

export class Importer {
  readonly ids = new Ids();
  /** Changes that were asked for, and those of them that an import of the same lines had made before. */
  readonly changes = { asked: 0, repeated: 0 };
  readonly #api: ApiClient;
  readonly #atEnd: (() => Promise<Json>)[] = [];

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async add(record: TransferRecord): Promise<void> {
    const made = await makers[record.kind](record.data, this.#callOf(record), this.ids);
    if (made !== undefined) this.ids.set(record.kind, record.id, made);
  }

  /** Archives what is archived in the file. */
  async finish(): Promise<void> {
    for (const archive of this.#atEnd) await archive();
  }

  #callOf(record: TransferRecord): Call {
    let count = 0;
    const content = JSON.stringify(record);
    const key = () =>
      createHash("sha256").update(`${this.#api.applicationId}\n${content}\n${count++}`).digest("base64url");
    return {
      post: (path, json) => this.#change("POST", path, json, key()),
      put: (path, json) => this.#change("PUT", path, json, key()),
      atEnd: (path) => {
        const archived = key();
        this.#atEnd.push(() => this.#change("POST", path, {}, archived));
      },
    };
  }

  async #change(method: string, path: string, json: unknown, key: string): Promise<Json> {
    const { headers, body } = await this.#api.send(method, path, { json, key });
    this.changes.asked++;
    if (headers.has("idempotency-replayed")) this.changes.repeated++;
    return body;
  }
}

const makers: Record<Kind, Make> = {
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

  async task({ status, isVerified, topicId, ...rest }, call, ids) {
    const isNew = status === "DRAFT" || status === "ACTIVE";
    const topic = topicId && { topicId: ids.get("topic", topicId) };
    const { id } = (await call.post("/v0/tasks", { ...rest, ...topic, ...(isNew && { status }) })).task;
    if (isVerified) await call.put(`/v0/tasks/${id}`, { isVerified });
    if (status === "ARCHIVED") call.atEnd(`/v0/tasks/${id}/archive`);
    return id;
  },

  async tagging({ tagId, taskIds }, call, ids) {
    const tagIds = [ids.get("tag", tagId)];
    const mapped = taskIds.map((id: string) => ids.get("task", id));
    for (const some of chunks(mapped, rowsMax)) await call.post("/v0/tasks/tags", { tagIds, taskIds: some });
    return undefined;
  },

  async document({ versions, activeVersion, topicId, assignee }, call, ids) {
    const [first, ...others] = versions;
    const about = { ...(topicId && { topicId: ids.get("topic", topicId) }), ...(assignee && { assignee }) };
    const { id } = (await call.post("/v0/documents", { ...first, ...about })).document;
    for (const version of others) await call.post(`/v0/documents/${id}/versions`, version);
    if (activeVersion !== 1) await call.post(`/v0/documents/${id}/versions/${activeVersion}/activate`, {});
    return id;
  },

  async styleGuide(data, call) {
    return (await call.post("/v0/style-guides", data)).data.id;
  },

  async definition({ isLinkedToApplication, topics, taskIds = [], styleGuideId, ...rest }, call, ids) {
    const guide = styleGuideId && { styleGuideId: ids.get("styleGuide", styleGuideId) };
    const { id } = (await call.post("/v0/definitions", { ...rest, ...guide })).data;
    if (isLinkedToApplication) await call.post("/v0/definitions/link-application", { evalIds: [id] });
    const alike = Map.groupBy(topics as Json[], ({ config }) => JSON.stringify(config ?? null));
    for (const links of alike.values()) {
      const config = links[0].config && { config: links[0].config };
      const topicIds = links.map(({ topicId }) => ids.get("topic", topicId));
      for (const some of chunks(topicIds, linksMax))
        await call.post("/v0/definitions/link-topics", { evalIds: [id], topicIds: some, ...config });
    }
    const linked = taskIds.map((one: string) => ids.get("task", one));
    for (const some of chunks(linked, linksMax))
      await call.post("/v0/definitions/link", { evalIds: [id], taskIds: some });
    return id;
  },

  async inferenceStep(data, call) {
    return (await call.post("/v0/inference-steps", data)).data.id;
  },

  async experiment({ status, inferenceStepIds = [], taskIds = [], ...rest }, call, ids) {
    const { id } = (
      await call.post("/v0/experiments", {
        ...rest,
        inferenceStepIds: inferenceStepIds.map((one: string) => ids.get("inferenceStep", one)),
        taskIds: taskIds.map((one: string) => ids.get("task", one)),
      })
    ).data;
    if (status !== "DRAFT") await call.put(`/v0/experiments/${id}`, { status });
    return id;
  },

  async quickstart({ assignments, contradictions, ...rest }, call, ids) {
    const { id } = (await call.post("/v0/quickstarts", rest)).data;
    const mapped = assignments.map((one: Json) => ({ ...one, topicId: ids.get("topic", one.topicId) }));
    for (const some of chunks(mapped, rowsMax))
      await call.post(`/v0/quickstarts/${id}/assignments/bulk`, { assignments: some });
    for (const some of chunks(contradictions as Json[], rowsMax)) await addContradictions(id, some, call, ids);
    return id;
  },

  async run({ tests, ...run }, call, ids) {
    let runId: string | undefined;
    for (const some of chunks(tests as Json[], testsMax)) {
      const mapped = some.map(({ taskId, evaluations, ...test }) => ({
        ...test,
        taskId: ids.get("task", taskId),
        evaluations: evaluations.map((one: Json) => ({
          ...one,
          definitionId: ids.get("definition", one.definitionId),
        })),
      }));
      const which = runId === undefined ? { run } : { runId };
      runId = (await call.post("/v0/tests/results", { ...which, tests: mapped })).run.id;
    }
    return runId;
  },
};

/** Contradictions may name documents that are gone: those keep their ids. */
async function addContradictions(quickstartId: string, found: readonly Json[], call: Call, ids: Ids): Promise<void> {
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
