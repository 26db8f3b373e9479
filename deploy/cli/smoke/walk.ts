import { randomUUID } from "node:crypto";
import { ApiClient, ApiFailure, type Json } from "../api.ts";

export interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly reason?: string;
}

/** One walk. A step that needs what a failed one should have made fails as well; what was made is archived in any case. */
export async function walk(api: ApiClient, tell: (step: Step) => void): Promise<Step[]> {
  const steps: Step[] = [];
  const made: Record<string, string> = {};
  const step = async (name: string, action: () => Promise<void>) => {
    const startMs = performance.now();
    const reason = await action().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const durationMs = Math.round(performance.now() - startMs);
    const one = { name, ok: reason === undefined, durationMs, ...(reason !== undefined && { reason }) };
    steps.push(one);
    tell(one);
  };
  await step("the key is known and reads the application's configuration", async () => {
    await api.get("/v0/app-config");
  });
  // Nothing else can go well.
  if (steps.some(({ ok }) => !ok)) return steps;
  await catalogSteps(api, made, step);
  await experimentSteps(api, made, step);
  await boundarySteps(api, made, step);
  await webhookSteps(api, step);
  await cleanUp(api, made, step);
  return steps;
}

type AddStep = (name: string, action: () => Promise<void>) => Promise<void>;
type Made = Record<string, string>;

async function catalogSteps(api: ApiClient, made: Made, step: AddStep): Promise<void> {
  const title = `Smoke test ${randomUUID()}`;
  await step("a topic is created, read, changed and listed", async () => {
    made.topic = (await api.post("/v0/topics", { title, status: "ACTIVE" })).data.id;
    await api.put(`/v0/topics/${made.topic}`, { baseline: 0.8 });
    must((await api.get(`/v0/topics/${made.topic}`)).data.baseline === 0.8, "the change is not read back");
    const { data } = await api.get(`/v0/topics?${new URLSearchParams({ title })}`);
    must(data.length === 1 && data[0].id === made.topic, "the list does not have it");
  });
  await step("a task is created and tagged", async () => {
    const { task } = await api.post("/v0/tasks", { title, description: "Made by ems smoke.", topicId: made.topic });
    made.task = task.id;
    made.tag = (await api.post("/v0/tags", { name: title.slice(0, 40), description: "Made by ems smoke." })).data.id;
    await api.post("/v0/tasks/tags", { taskIds: [made.task], tagIds: [made.tag] });
    const { data } = await api.get(`/v0/tasks/${made.task}/tags`);
    must(data.length === 1 && data[0].id === made.tag, "the task does not have the tag");
  });
  await step("a document is created, gets a second version, and is read", async () => {
    const words = { title, content: "One.", language: "en" };
    made.document = (await api.post("/v0/documents", { ...words, topicId: made.topic })).document.id;
    await api.post(`/v0/documents/${made.document}/versions`, { ...words, content: "Two." });
    const { versions } = await api.get(`/v0/documents/${made.document}/versions`);
    must(versions.length === 2, `${versions.length} versions`);
  });
}

async function experimentSteps(api: ApiClient, made: Made, step: AddStep): Promise<void> {
  await step("a trace is taken in and read", async () => {
    const { data } = await api.post("/v0/ingest", {
      events: [{ type: "trace", traceId: randomUUID(), steps: [{ type: "llm", name: "smoke" }] }],
    });
    must(data[0].success, data[0].error);
    must((await api.get(`/v0/traces/${data[0].id}`)).data.steps.length === 1, "the trace has not its one step");
  });
  await step("a report counts the topic", async () => {
    const query = {
      datasource: "topic",
      timezone: "UTC",
      measurements: [{ type: "count" }],
      filters: [{ type: "string", column: "id", operator: "eq", value: [made.topic] }],
    };
    const { data } = await api.post("/v0/reporting/query", query);
    must(data.results[0].count === 1, `counted ${data.results[0].count}`);
  });
}

async function boundarySteps(api: ApiClient, made: Made, step: AddStep): Promise<void> {
  await step("a repeated request changes nothing a second time", async () => {
    const key = randomUUID();
    const body = { taskIds: [made.task], tagIds: [made.tag] };
    const again = { name: "smoke" };
    await api.post("/v0/tasks/untag", body, key);
    await api.post("/v0/tasks/untag", body, key);
    const keyOfKey = randomUUID();
    const first = (await api.post("/v0/api-keys", again, keyOfKey)).data;
    const second = await api.ask("POST", "/v0/api-keys", { json: again, key: keyOfKey });
    await api.delete(`/v0/api-keys/${first.id}`);
    must(second.body?.data === undefined || second.body.data.id === first.id, "a second key was made");
  });
  await step("a wrong request is refused with its issues", async () => {
    const { status, body } = await api.ask("POST", "/v0/topics", { json: { title: "", colour: 1 } });
    must(status === 400 && body.issues.length === 2, `${status} ${JSON.stringify(body)}`);
  });
  await step("what is not there is not found", async () => {
    const { status } = await api.ask("GET", `/v0/topics/${randomUUID()}`);
    must(status === 404, `${status}`);
  });
  await step("a key that is none is turned away", async () => {
    const stranger = new ApiClient({ baseUrl: api.baseUrl, apiKey: "ems_none", applicationId: randomUUID() });
    const { status } = await stranger.ask("GET", "/v0/topics");
    must(status === 401, `${status}`);
  });
}

async function webhookSteps(api: ApiClient, step: AddStep): Promise<void> {
  const { data: hook } = await api.get("/v0/webhook").catch(() => ({ data: undefined }));
  if (hook) {
    await step("the webhook's receiver accepts a test", async () => {
      const result = await api.post("/v0/webhook/test");
      must(result.success, result.error ?? `the receiver answered ${result.statusCode}`);
    });
  } else {
    await step("without a webhook no delivery is valid, and none can be tested", async () => {
      const claimed = { signature: "v1,c21va2U=", timestamp: "1", body: {} };
      must((await api.post("/v0/validate-webhook", claimed)).valid === false, "it is said to be valid");
      const { status } = await api.ask("POST", "/v0/webhook/test", { json: {} });
      must(status === 404, `${status}`);
    });
  }
}

async function cleanUp(api: ApiClient, made: Made, step: AddStep): Promise<void> {
  await step("what was made is deleted or archived", async () => {
    if (made.document) await api.delete(`/v0/documents/${made.document}`);
    if (made.tag) await api.post(`/v0/tags/${made.tag}/archive`);
    if (made.topic) await api.post(`/v0/topics/${made.topic}/archive`, { cascade: true });
    if (!made.document) return;
    const gone = await api.get(`/v0/documents/${made.document}`).catch((error: unknown) => error as Json);
    must(gone instanceof ApiFailure && gone.status === 404, "the document is still there");
  });
}

function must(holds: boolean, otherwise: string | null): void {
  if (!holds) throw new Error(otherwise ?? "failed");
}
