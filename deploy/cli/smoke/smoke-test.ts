import { randomUUID } from "node:crypto";
import { ApiClient, ApiFailure, type Json } from "../api.ts";

export interface Step {
  readonly name: string;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly reason?: string;
}

/** Runs all steps. Steps that depend on a failed step also fail. Created resources are archived in any case. */
export async function runSmokeTest(api: ApiClient, report: (step: Step) => void): Promise<Step[]> {
  const steps: Step[] = [];
  const created: Record<string, string> = {};
  const step = async (name: string, action: () => Promise<void>) => {
    const startMs = performance.now();
    const reason = await action().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const durationMs = Math.round(performance.now() - startMs);
    const result = { name, ok: reason === undefined, durationMs, ...(reason !== undefined && { reason }) };
    steps.push(result);
    report(result);
  };
  await step("the API key reads the application's configuration", async () => {
    await api.get("/v0/app-config");
  });
  // Stop if authentication failed, because every other step would then fail.
  if (steps.some(({ ok }) => !ok)) return steps;
  await catalogSteps(api, created, step);
  await experimentSteps(api, created, step);
  await boundarySteps(api, created, step);
  await webhookSteps(api, step);
  await cleanUp(api, created, step);
  return steps;
}

type AddStep = (name: string, action: () => Promise<void>) => Promise<void>;
type Created = Record<string, string>;

async function catalogSteps(api: ApiClient, created: Created, step: AddStep): Promise<void> {
  const title = `Smoke test ${randomUUID()}`;
  await step("a topic is created, read, changed and listed", async () => {
    created.topic = (await api.post("/v0/topics", { title, status: "ACTIVE" })).data.id;
    await api.put(`/v0/topics/${created.topic}`, { baseline: 0.8 });
    check((await api.get(`/v0/topics/${created.topic}`)).data.baseline === 0.8, "the update is not returned");
    const { data } = await api.get(`/v0/topics?${new URLSearchParams({ title })}`);
    check(data.length === 1 && data[0].id === created.topic, "the list does not contain it");
  });
  await step("a task is created and tagged", async () => {
    const { task } = await api.post("/v0/tasks", { title, description: "Made by ems smoke.", topicId: created.topic });
    created.task = task.id;
    created.tag = (await api.post("/v0/tags", { name: title.slice(0, 40), description: "Made by ems smoke." })).data.id;
    await api.post("/v0/tasks/tags", { taskIds: [created.task], tagIds: [created.tag] });
    const { data } = await api.get(`/v0/tasks/${created.task}/tags`);
    check(data.length === 1 && data[0].id === created.tag, "the task does not have the tag");
  });
  await step("a document is created, gets a second version, and is read", async () => {
    const words = { title, content: "One.", language: "en" };
    created.document = (await api.post("/v0/documents", { ...words, topicId: created.topic })).document.id;
    await api.post(`/v0/documents/${created.document}/versions`, { ...words, content: "Two." });
    const { versions } = await api.get(`/v0/documents/${created.document}/versions`);
    check(versions.length === 2, `${versions.length} versions`);
  });
}

async function experimentSteps(api: ApiClient, created: Created, step: AddStep): Promise<void> {
  await step("a trace is ingested and read", async () => {
    const { data } = await api.post("/v0/ingest", {
      events: [{ type: "trace", traceId: randomUUID(), steps: [{ type: "llm", name: "smoke" }] }],
    });
    check(data[0].success, data[0].error);
    check((await api.get(`/v0/traces/${data[0].id}`)).data.steps.length === 1, "the trace does not have one step");
  });
  await step("a report counts the topic", async () => {
    const query = {
      datasource: "topic",
      timezone: "UTC",
      measurements: [{ type: "count" }],
      filters: [{ type: "string", column: "id", operator: "eq", value: [created.topic] }],
    };
    const { data } = await api.post("/v0/reporting/query", query);
    check(data.results[0].count === 1, `counted ${data.results[0].count}`);
  });
}

async function boundarySteps(api: ApiClient, created: Created, step: AddStep): Promise<void> {
  await step("a repeated request with the same Idempotency-Key has one effect", async () => {
    const key = randomUUID();
    const body = { taskIds: [created.task], tagIds: [created.tag] };
    const keyRequest = { name: "smoke" };
    await api.post("/v0/tasks/untag", body, key);
    await api.post("/v0/tasks/untag", body, key);
    const keyOfKey = randomUUID();
    const first = (await api.post("/v0/api-keys", keyRequest, keyOfKey)).data;
    const second = await api.request("POST", "/v0/api-keys", { json: keyRequest, idempotencyKey: keyOfKey });
    await api.delete(`/v0/api-keys/${first.id}`);
    check(second.body?.data === undefined || second.body.data.id === first.id, "the repeat created a second key");
  });
  await step("an invalid request is rejected with its issues", async () => {
    const { status, body } = await api.request("POST", "/v0/topics", { json: { title: "", colour: 1 } });
    check(status === 400 && body.issues.length === 2, `${status} ${JSON.stringify(body)}`);
  });
  await step("an unknown id is 404", async () => {
    const { status } = await api.request("GET", `/v0/topics/${randomUUID()}`);
    check(status === 404, `${status}`);
  });
  await step("an unknown API key is 401", async () => {
    const unauthenticated = new ApiClient({ baseUrl: api.baseUrl, apiKey: "ems_none", applicationId: randomUUID() });
    const { status } = await unauthenticated.request("GET", "/v0/topics");
    check(status === 401, `${status}`);
  });
}

async function webhookSteps(api: ApiClient, step: AddStep): Promise<void> {
  const { data: hook } = await api.get("/v0/webhook").catch(() => ({ data: undefined }));
  if (hook) {
    await step("the webhook's receiver accepts a test event", async () => {
      const result = await api.post("/v0/webhook/test");
      check(result.success, result.error ?? `the receiver answered ${result.statusCode}`);
    });
  } else {
    await step("without a webhook, deliveries are invalid and a test is 404", async () => {
      const claimed = { signature: "v1,c21va2U=", timestamp: "1", body: {} };
      check((await api.post("/v0/validate-webhook", claimed)).valid === false, "the delivery is reported as valid");
      const { status } = await api.request("POST", "/v0/webhook/test", { json: {} });
      check(status === 404, `${status}`);
    });
  }
}

async function cleanUp(api: ApiClient, created: Created, step: AddStep): Promise<void> {
  await step("the created resources are deleted or archived", async () => {
    if (created.document) await api.delete(`/v0/documents/${created.document}`);
    if (created.tag) await api.post(`/v0/tags/${created.tag}/archive`);
    if (created.topic) await api.post(`/v0/topics/${created.topic}/archive`, { cascade: true });
    if (!created.document) return;
    const gone = await api.get(`/v0/documents/${created.document}`).catch((error: unknown) => error as Json);
    check(gone instanceof ApiFailure && gone.status === 404, "the document is still there");
  });
}

function check(holds: boolean, reason: string | null): void {
  if (!holds) throw new Error(reason ?? "failed");
}
