// A resource of another tenant is answered exactly like one that never existed. Driven by the routes of the API reference, so
// that a new route is checked without a line here.

import { toJsonString } from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { EventSchema } from "@ems/proto/events/v1/event";
import { WatchStart } from "@ems/proto/notifications/v1/event_service";
import { describe, expect, inject, test, vi } from "vitest";
import { openContract } from "../harness/contract.ts";
import { addMember } from "../harness/members.ts";
import { nowhere, storageEndpoint } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";
import { messages, watchClient } from "../harness/watcher.ts";

const ours = await newTenant();
const theirs = await newTenant();
const { document } = await openContract(inject("product").baseUrl);

/** A resource of the other tenant for every path parameter; add one for a new type of resource. */
const theirTopic = (await theirs.api.post("/v0/topics", { title: "theirs" })).body.data.id;
const theirKey = (await theirs.api.post("/v0/api-keys", { name: "theirs" })).body.data;
const theirSlug = `theirs-${newId()}`;
await theirs.api.post("/v0/applications", { title: "theirs", slug: theirSlug });
const theirUser = (await theirs.api.get("/v0/users")).body.data[0].id;
const theirDocument = (await theirs.api.post("/v0/documents", { title: "theirs", content: "theirs" })).body.document.id;
const words = { title: "theirs", description: "theirs" };
const theirTask = (await theirs.api.post("/v0/tasks", words)).body.task.id;
const theirTag = (await theirs.api.post("/v0/tags", { name: "theirs" })).body.data.id;
const theirExperiment = (await theirs.api.post("/v0/experiments", { title: "theirs" })).body.data.id;
const firstVariant = { title: "theirs", configPatch: {} };
const theirVariant = (await theirs.api.post(`/v0/experiments/${theirExperiment}/variants`, firstVariant)).body.data.id;
const theirQuickstart = (await theirs.api.post("/v0/quickstarts", { title: "theirs" })).body.data.id;
const uuids = { documentTestId: newId(), documentAId: newId(), documentBId: newId() };
const contradictions = [{ ...uuids, reason: "r", passageA: "a", passageB: "b" }];
const [theirContradiction] = (
  await theirs.api.post(`/v0/quickstarts/${theirQuickstart}/contradictions`, { contradictions })
).body.data;
const theirTracedTest = newId();
const traced = { type: "trace", testId: theirTracedTest, metadata: { sessionId: "theirs" } };
const theirTrace = (await theirs.api.post("/v0/ingest", { events: [traced] })).body.data[0].id;
const theirStyleGuide = (await theirs.api.post("/v0/style-guides", { content: [] })).body.data.id;
const theirFact = (await theirs.api.post("/v0/facts", { statement: "theirs", scope: "APPLICATION" })).body.data.id;
const theirDefinition = (await theirs.api.post("/v0/definitions", { type: "FACT", name: "theirs" })).body.data.id;
const theirTest = { taskId: theirTask, evaluations: [{ definitionId: theirDefinition }] };
const theirResults = (await theirs.api.post("/v0/tests/results", { tests: [theirTest] })).body;
const theirEvaluation = (await theirs.api.get("/v0/evals")).body.data[0].id;
await theirs.api.post("/v0/webhook", { url: nowhere });
await theirs.api.post("/v0/topics", { title: "delivered" });
const theirDelivery = await vi.waitFor(
  async () => {
    const [delivery] = (await theirs.api.get("/v0/webhook/deliveries")).body.data;
    if (delivery === undefined) throw new Error("no event has come yet");
    return delivery.id;
  },
  { timeout: 60_000, interval: 50 },
);
const theirAnnotation = (await theirs.api.post("/v0/annotations", { title: "theirs" })).body.data.id;
await theirs.api.post("/v0/issues", { title: "theirs", source: "API" });
const theirIssue = (await theirs.api.get("/v0/issues")).body.data[0].id;
const judged = { traceId: theirTrace, verdict: true, source: "TRACE_PAGE" };
const theirHumanAnnotation = (await theirs.api.post("/v0/human-annotations", judged)).body.data.id;
const theirQueue = (await theirs.api.post("/v0/human-annotation-queues", { topicId: theirTopic })).body.data.id;
await theirs.api.post(`/v0/human-annotation-queues/${theirQueue}/items`, { traceIds: [theirTrace] });
const connection = { name: "theirs", provider: "openai", model: "theirs", apiKey: "theirs" };
const theirConnection = (await theirs.api.post("/v0/model-connections", connection)).body.data.id;
const ofDocuments = { type: "MECE", quickstartId: theirQuickstart };
const theirDocumentTest = (await theirs.api.post("/v0/documents/tests/trigger", ofDocuments)).body.data.id;
const theirMember = await addMember(theirs, "VIEWER");
const theirInvitation = (await theirs.api.post("/v0/invitations", { email: "g@example.com", role: "VIEWER" })).body.data
  .id;
const theirErasure = (await theirs.api.post("/v0/erasures", { user: "theirs" })).body.data.id;
await theirs.api.send("PUT", "/v0/ingest-settings", { json: { redactions: [{ builtIn: "EMAIL" }] } });
const exported = { endpoint: storageEndpoint, bucket: "theirs", accessKeyId: "theirs", datasets: ["TRACES"] };
await theirs.api.send("PUT", "/v0/export-settings", { json: { ...exported, secretAccessKey: "theirs" } });
await ours.api.delete("/v0/export-settings");
const counted = await theirs.api.post("/v0/traces/delete", { filter: { search: "nothing" }, dryRun: true });
const { count, archivedCount, countedAt } = counted.body;
const confirmed = { filter: { search: "nothing" }, count, archivedCount, countedAt };
const theirDeletion = (await theirs.api.post("/v0/traces/delete", confirmed)).body.data.id;
const theirSession = (await theirs.api.get("/v0/sessions?externalId=theirs")).body.data[0].id;
const ids: Record<string, string> = {
  "/v0/sessions/{id}": theirSession,
  "/v0/erasures/{id}": theirErasure,
  "/v0/traces/deletions/{id}": theirDeletion,
  "/v0/members/{id}": theirMember,
  "/v0/invitations/{id}": theirInvitation,
  "/v0/model-connections/{id}": theirConnection,
  "/v0/model-connections/{id}/test": theirConnection,
  "/v0/tasks/{id}/schedule": theirTask,
  "/v0/annotations/{id}": theirAnnotation,
  "/v0/issues/{id}": theirIssue,
  "/v0/human-annotations/{id}": theirHumanAnnotation,
  "/v0/human-annotation-queues/{id}": theirQueue,
  "/v0/human-annotation-queues/{id}/items": theirQueue,
  "/v0/issues/{id}/suggested-task": theirIssue,
  "/v0/applications/by-slug/{slug}": theirSlug,
  "/v0/users/{id}": theirUser,
  "/v0/applications/{id}": theirs.applicationId,
  "/v0/api-keys/{keyId}": theirKey.id,
  "/v0/topics/{id}": theirTopic,
  "/v0/topics/{id}/archive": theirTopic,
  "/v0/documents/{id}": theirDocument,
  "/v0/documents/{id}/versions": theirDocument,
  "/v0/documents/{id}/versions/{versionNumber}": theirDocument,
  "/v0/documents/{id}/versions/{versionNumber}/activate": theirDocument,
  "/v0/documents/{id}/tags": theirDocument,
  "/v0/documents/tests/{id}": theirDocumentTest,
  "/v0/tasks/{id}": theirTask,
  "/v0/tasks/{id}/archive": theirTask,
  "/v0/tasks/{id}/tags": theirTask,
  "/v0/tags/{id}": theirTag,
  "/v0/tags/{id}/archive": theirTag,
  "/v0/style-guides/{id}": theirStyleGuide,
  "/v0/facts/{id}": theirFact,
  "/v0/definitions/{id}": theirDefinition,
  "/v0/definitions/{id}/calibration": theirDefinition,
  "/v0/definitions/{id}/calibration/queue": theirDefinition,
  "/v0/traces/{id}": theirTrace,
  "/v0/traces/{id}/steps": theirTrace,
  "/v0/traces/{id}/feedback": theirTrace,
  "/v0/traces/{id}/test-paths": theirTrace,
  "/v0/traces/{id}/attachments/{hash}": theirTrace,
  "/v0/traces/by-test/{id}": theirTracedTest,
  "/v0/runs/{id}": theirResults.run.id,
  "/v0/runs/{id}/results": theirResults.run.id,
  "/v0/tests/{id}": theirResults.testIds[0],
  "/v0/evals/{id}": theirEvaluation,
  "/v0/experiments/{id}": theirExperiment,
  "/v0/experiments/{id}/variants": theirExperiment,
  "/v0/experiments/{id}/variants/{variantId}": theirExperiment,
  "/v0/experiments/{id}/comparison": theirExperiment,
  "/v0/experiments/{id}/task-set": theirExperiment,
  ...Object.fromEntries(
    ["run", "stop", "resume", "reject", "promote"].map((verb) => [
      `/v0/experiments/{id}/variants/{variantId}/${verb}`,
      theirExperiment,
    ]),
  ),
  "/v0/quickstarts/{id}": theirQuickstart,
  "/v0/quickstarts/{id}/assignments": theirQuickstart,
  "/v0/quickstarts/{id}/assignments/bulk": theirQuickstart,
  "/v0/quickstarts/{id}/contradictions": theirQuickstart,
  "/v0/quickstarts/{id}/contradictions/{contradictionId}": theirQuickstart,
  // Datasources belong to no tenant.
  "/v0/reporting/datasources/{id}/columns": newId(),
  "/v0/webhook/deliveries/{id}": theirDelivery,
  "/v0/webhook/deliveries/{id}/resend": theirDelivery,
};
/** Bodies that pass validation, so that a route looks for the resource in its path. */
const bodies: Record<string, unknown> = {
  "PUT /v0/annotations/{id}": { title: "ours" },
  "PUT /v0/runs/{id}": { name: "ours" },
  "PUT /v0/members/{id}": { role: "OWNER" },
  "PUT /v0/human-annotations/{id}": { verdict: true },
  "PUT /v0/human-annotation-queues/{id}": { assigneeId: "ours" },
  "POST /v0/human-annotation-queues/{id}/items": { traceIds: [newId()] },
  "POST /v0/traces/{id}/feedback": { thumb: "UP" },
  "POST /v0/traces/{id}/test-paths": { question: "root.input" },
  "POST /v0/definitions/{id}/calibration/queue": { queueId: newId() },
  "PUT /v0/issues/{id}": { title: "ours" },
  "PUT /v0/issues/{id}/suggested-task": words,
  "POST /v0/documents/{id}/versions": { title: "ours", content: "ours" },
  "PUT /v0/documents/{id}/tags": { tagIds: [] },
  "PUT /v0/style-guides/{id}": { content: [] },
  "PUT /v0/tasks/{id}/tags": { tagIds: [] },
  "PUT /v0/model-connections/{id}": { name: "ours", provider: "openai", model: "ours", apiKey: "ours" },
  "PUT /v0/tasks/{id}/schedule": { cron: "0 6 * * *", timezone: "UTC", criticality: "LOW" },
  "PUT /v0/experiments/{id}": { title: "ours" },
  "POST /v0/experiments/{id}/variants": { title: "ours", configPatch: {} },
  "PUT /v0/experiments/{id}/variants/{variantId}": { title: "ours" },
  "POST /v0/reporting/datasources/{id}/columns": { intent: "filters" },
  "POST /v0/quickstarts/{id}/assignments/bulk": {
    assignments: [{ stage: "KB_REVIEW", assignedTo: "user-1", topicId: newId() }],
  },
  "PUT /v0/quickstarts/{id}/assignments/bulk": { ids: [newId()], assignedTo: "user-1" },
  "POST /v0/quickstarts/{id}/contradictions": { contradictions },
  "PUT /v0/quickstarts/{id}/contradictions/{contradictionId}": { resolved: true },
};

/** Required parameters of a route's query. */
const queries: Record<string, string> = { "GET /v0/experiments/{id}/comparison": `?variant=${theirVariant}` };

const withIds = Object.entries(document.paths)
  .filter(([path]) => path.includes("{"))
  .flatMap(([path, operations]) => Object.keys(operations).map((method) => [method.toUpperCase(), path] as const));

describe("another tenant's id is answered like a random one", () => {
  test.each(withIds)("%s %s", async (method, path) => {
    const foreign = ids[path];
    if (foreign === undefined) throw new Error(`${path}: name a resource of another tenant in this file`);
    const request = async (id: string) => {
      const hashed = path.replace("{hash}", "0".repeat(64));
      const numbered = hashed.replace("{versionNumber}", "1").replace("{variantId}", theirVariant);
      const foreignPath = numbered.replace("{contradictionId}", theirContradiction.id);
      const filled = foreignPath.replace(/\{\w+\}/, id);
      const json = bodies[`${method} ${path}`];
      const query = queries[`${method} ${path}`] ?? "";
      const { status, body } = await ours.api.send(method, `${filled}${query}`, json === undefined ? {} : { json });
      return { status, body };
    };
    const answer = await request(foreign);
    expect(answer).toEqual(await request(newId()));
    // Keys and traces that were deleted get the same answer as those that never existed.
    const isRepeatable = path === "/v0/api-keys/{keyId}" || `${method} ${path}` === "DELETE /v0/traces/{id}";
    expect(answer.status).toBe(isRepeatable ? 204 : 404);
  });
});

test("and what was the other tenant's is as it was", async () => {
  expect((await theirs.api.get(`/v0/topics/${theirTopic}`)).body.data).toMatchObject({
    status: "ACTIVE",
    title: "theirs",
  });
  expect((await theirs.api.get(`/v0/documents/${theirDocument}/versions`)).body.versions).toMatchObject([
    { title: "theirs", status: "DRAFT" },
  ]);
  expect((await theirs.api.as({ apiKey: theirKey.key }).get("/v0/topics")).status).toBe(200);
  expect((await ours.api.get("/v0/topics")).body.data).toEqual([]);
  expect((await ours.api.get("/v0/documents")).body.data).toEqual([]);
  expect((await theirs.api.get(`/v0/tasks/${theirTask}`)).body.task).toMatchObject({ status: "ACTIVE", ...words });
  expect((await theirs.api.get("/v0/tags")).body.data).toMatchObject([{ id: theirTag, name: "theirs" }]);
  const { redactions } = (await theirs.api.get("/v0/ingest-settings")).body.data;
  expect(redactions.map(({ name }: { name: string }) => name)).toEqual(["EMAIL"]);
  expect((await ours.api.get("/v0/ingest-settings")).body.data.redactions).not.toEqual(redactions);
  expect((await theirs.api.get("/v0/export-settings")).body.data).toMatchObject(exported);
  expect((await ours.api.get("/v0/export-settings")).body.data).toBeNull();
  expect((await theirs.api.get("/v0/members")).body.data).toMatchObject([{ id: theirMember, role: "VIEWER" }]);
  expect((await theirs.api.get("/v0/invitations")).body.data).toMatchObject([{ id: theirInvitation }]);
  const judging = ["human-annotations", "human-annotation-queues", "human-annotation-queue-items"];
  // Requests that change nothing are not logged.
  const changed = (await ours.api.get("/v0/audit-log?limit=100")).body.data.map(
    ({ entityId }: { entityId: string }) => entityId,
  );
  expect(changed).not.toContain(theirTag);
  expect(changed).not.toContain(theirTask);
  const results = ["runs", "tests", "evals", "annotations", "issues", "facts", "documents/tests", "erasures"];
  for (const list of ["topics", "tasks", "tags", ...results, ...judging])
    expect((await ours.api.get(`/v0/${list}`)).body.data).toEqual([]);
});

test("a stream of events has one's own only", async () => {
  const marker = (await ours.api.post("/v0/topics", { title: "ours" })).body.data.id;
  const streamed = async ({ apiKey }: typeof ours, last: string) => {
    const client = watchClient(inject("product").grpcUrl, apiKey);
    try {
      const events: string[] = [];
      for await (const { event } of messages(client.open({ start: WatchStart.EARLIEST }))) {
        if (event !== undefined) events.push(toJsonString(EventSchema, event));
        if (events.at(-1)?.includes(last)) break;
      }
      return events.join();
    } finally {
      client.close();
    }
  };
  expect(await streamed(theirs, theirIssue)).toContain(theirTopic);
  const seen = await streamed(ours, marker);
  for (const id of [theirs.applicationId, theirs.orgId, theirTopic, theirDocument, theirIssue]) {
    expect(seen).not.toContain(id);
  }
});
