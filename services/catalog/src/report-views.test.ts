// The views for reports return the same data as the API.

import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { testCall } from "@ems/test-support";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { catalogHarness } from "../test/harness.ts";

const harness = await catalogHarness();
const { topics, tenant } = harness;
const call = () => testCall(tenant);
const [tasks, tags, documents] = [
  harness.client(TaskService),
  harness.client(TagService),
  harness.client(DocumentService),
];

// The views require the setting with the application, even for a superuser.
const options = `-c ems.application_id=${tenant.applicationId}`;
const client = new pg.Client({ connectionString: harness.database.superuserUrl, options });
await client.connect();
client.on("error", () => undefined);
afterAll(() => client.end());
const seen = async (text: string) => (await client.query(text)).rows;

test("counts of topics and tags equal the API's, and archived rows are included", async () => {
  const { data: topic } = await topics.createTopic({ title: "Cards", baseline: 0.5 }, call());
  const topicId = topic?.id ?? "";
  const taskIds: string[] = [];
  for (const title of ["kept", "kept too", "archived"]) {
    const { task } = await tasks.createTask({ title, description: "d", topicId }, call());
    taskIds.push(task?.id ?? "");
  }
  const { data: tag } = await tags.createTag({ name: "regression" }, call());
  await tags.tagTasks({ taskIds, tagIds: [tag?.id ?? ""] }, call());
  await documents.createDocument({ title: "Guide", content: "c", topicId }, call());
  await tasks.archiveTask({ id: taskIds[2] ?? "" }, call());
  await tags.archiveTag({ id: tag?.id ?? "" }, call());

  const { data: fromApi } = await topics.getTopic({ id: topicId }, call());
  expect(fromApi).toMatchObject({ taskCount: 2n, documentCount: 1n });
  expect(await seen("SELECT * FROM reporting.topic_v1")).toMatchObject([
    {
      application_id: tenant.applicationId,
      org_id: tenant.orgId,
      id: topicId,
      title: "Cards",
      baseline: 0.5,
      status: "ACTIVE",
      task_count: 2,
      document_count: 1,
      assigned_to: null,
      is_in_scope: true,
    },
  ]);
  expect(await seen("SELECT * FROM reporting.tag_v1")).toMatchObject([
    { id: tag?.id, name: "regression", status: "ARCHIVED", task_count: 2 },
  ]);
  const statuses = await seen("SELECT title, status, topic_id FROM reporting.task_v1 ORDER BY title");
  expect(statuses).toMatchObject([
    { title: "archived", status: "ARCHIVED", topic_id: topicId },
    { title: "kept" },
    { title: "kept too" },
  ]);
});
