// Uses the gRPC port as an internal service does: with an address and a key only.

import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import { ForeignClient } from "./client.ts";

const { grpcUrl } = inject("product");
const { apiKey, applicationId, orgId } = await newTenant();
const client = await ForeignClient.open({ grpcUrl, apiKey });
afterAll(() => client.close());

const topics = "ems.catalog.v1.TopicService";
const tasks = "ems.catalog.v1.TaskService";
const documents = "ems.catalog.v1.DocumentService";

test("reflection lists the public services, and none of the mesh's", () => {
  expect(client.names()).toEqual(
    expect.arrayContaining([
      topics,
      tasks,
      documents,
      "ems.reporting.v1.ReportingService",
      "grpc.health.v1.Health",
      "opentelemetry.proto.collector.trace.v1.TraceService",
    ]),
  );
  expect(client.names()).not.toContain("ems.notifications.v1.DeadLetterService");
  expect(client.names()).not.toContain("ems.catalog.v1.ReferenceService");
});

test("topics are created, read, listed, changed and archived", async () => {
  const { data: topic } = await client.answer(`${topics}/CreateTopic`, { title: "Opening an account", baseline: 0.5 });
  expect(topic).toMatchObject({
    title: "Opening an account",
    baseline: 0.5,
    status: "TOPIC_STATUS_ACTIVE",
    application_id: applicationId,
    org_id: orgId,
    task_count: 0,
  });
  const { id } = topic;
  expect((await client.answer(`${topics}/GetTopic`, { id })).data).toEqual(topic);
  const { data, pagination } = await client.answer(`${topics}/ListTopics`, { title: "opening", limit: 1 });
  expect(data).toEqual([topic]);
  expect(pagination).toMatchObject({ skip: 0, limit: 1, total: 1 });
  const { data: changed } = await client.answer(`${topics}/UpdateTopic`, { id, title: "Closing an account" });
  expect(changed).toMatchObject({ id, title: "Closing an account", baseline: 0.5 });
  expect(await client.answer(`${topics}/UpdateTopics`, { topic_ids: [id], is_in_scope: false })).toMatchObject({
    count: 1,
  });
  await client.answer(`${topics}/ArchiveTopic`, { id, cascade: true });
  const { data: archived } = await client.answer(`${topics}/GetTopic`, { id });
  expect(archived).toMatchObject({ status: "TOPIC_STATUS_ARCHIVED", is_in_scope: false });
  await client.answer(`${topics}/UpdateTopic`, { id, status: "TOPIC_STATUS_ACTIVE" });
});

test("tasks are created, read, listed page by page, changed, tagged and archived", async () => {
  const made: string[] = [];
  for (const title of ["First", "Second", "Third"]) {
    const { task } = await client.answer(`${tasks}/CreateTask`, {
      title,
      description: `The ${title}`,
      input_examples: ["?"],
    });
    expect(task).toMatchObject({ title, status: "TASK_STATUS_ACTIVE", input_examples: ["?"] });
    made.push(task.id);
  }
  const listed: string[] = [];
  for (let skip = 0, total = 1; skip < total; skip += 2) {
    const page = await client.answer(`${tasks}/ListTasks`, { skip, limit: 2 });
    listed.push(...page.data.map(({ id }: { id: string }) => id));
    total = page.pagination.total;
  }
  expect(new Set(listed)).toEqual(new Set(made));
  const [id = ""] = made;
  const { task } = await client.answer(`${tasks}/UpdateTask`, {
    id,
    metadata: { struct_value: metadata({ level: 3 }) },
  });
  expect(task.metadata).toMatchObject(metadata({ level: 3 }));
  const { data: tag } = await client.answer("ems.catalog.v1.TagService/CreateTag", { name: "urgent" });
  await client.answer("ems.catalog.v1.TagService/TagTasks", { task_ids: made, tag_ids: [tag.id] });
  const { data: tags } = await client.answer("ems.catalog.v1.TagService/ListTaskTags", { id });
  expect(tags).toEqual([tag]);
  await client.answer(`${tasks}/ArchiveTask`, { id });
  expect((await client.answer(`${tasks}/GetTask`, { id })).task.status).toBe("TASK_STATUS_ARCHIVED");
});

/** Builds a Struct: protobufjs represents a map as a list of entries, its form on the wire. */
const metadata = (values: Record<string, number>) => ({
  fields: Object.entries(values).map(([name, value]) => ({ key: name, value: { number_value: value } })),
});

test("documents have versions", async () => {
  const { document } = await client.answer(`${documents}/CreateDocument`, { title: "Terms", content: "One." });
  const { id } = document;
  expect((await client.answer(`${documents}/GetDocument`, { id })).document).toMatchObject({ id });
  await client.answer(`${documents}/CreateDocumentVersion`, { id, content: "Two." });
  const { versions } = await client.answer(`${documents}/ListDocumentVersions`, { id });
  expect(versions).toHaveLength(2);
  // By default, the list has only what retrieval needs: knowledge whose active version is approved.
  const listed = async (request: object = {}) => {
    const { data } = await client.answer(`${documents}/ListDocuments`, request);
    return data.map((each: { id: string }) => each.id);
  };
  expect(await listed()).toEqual([]);
  expect(await listed({ document_status: "LIBRARY_STATUS_ACTIVE" })).toEqual([id]);
  expect(await listed({ document_status: "LIBRARY_STATUS_DRAFT" })).toEqual([]);
  await client.answer(`${documents}/UpdateDocumentStatus`, { document_ids: [id], status: "DOCUMENT_STATUS_APPROVED" });
  expect(await listed()).toEqual([id]);
  await client.answer(`${documents}/DeleteDocument`, { id });
  expect(await client.failure(`${documents}/GetDocument`, { id })).toMatchObject({ code: 5 });
});

test("an export of OpenTelemetry arrives as a trace", async () => {
  const traceId = randomBytes(16);
  const now = Date.now();
  const span = {
    trace_id: traceId,
    span_id: randomBytes(8),
    name: "chat gpt",
    kind: "SPAN_KIND_CLIENT",
    start_time_unix_nano: `${now}000000`,
    end_time_unix_nano: `${now + 250}000000`,
    attributes: [{ key: "gen_ai.operation.name", value: { string_value: "chat" } }],
  };
  await client.answer("opentelemetry.proto.collector.trace.v1.TraceService/Export", {
    resource_spans: [{ scope_spans: [{ spans: [span] }] }],
  });
  const { data } = await client.answer("ems.experiments.v1.TraceService/ListTraces", {
    reference_id: traceId.toString("hex"),
  });
  expect(data).toEqual([expect.objectContaining({ reference_id: traceId.toString("hex") })]);
});

test("a report counts what was written", async () => {
  await client.answer(`${topics}/CreateTopic`, { title: "Counted" });
  const { data } = await client.answer("ems.reporting.v1.ReportingService/QueryReport", {
    datasource: "topic",
    timezone: "Europe/Copenhagen",
    measurements: [{ type: "count" }],
  });
  const [row] = data.results;
  expect(row).toMatchObject(metadata({ count: 2 }));
});

test("another tenant's and unknown things are NOT_FOUND", async () => {
  const other = await newTenant();
  const { data } = await client.answer(`${topics}/CreateTopic`, { title: "Mine" });
  const stranger = client.as({ "x-api-key": other.apiKey });
  expect(await stranger.failure(`${topics}/GetTopic`, { id: data.id })).toMatchObject({
    code: 5,
    details: "Topic not found",
  });
  expect(await client.failure(`${topics}/GetTopic`, { id: randomUUID() })).toMatchObject({ code: 5 });
});
