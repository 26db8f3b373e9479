import { newId } from "@ems/kit/id";
import { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { topics, tenant } = harness;
const references = harness.client(ReferenceService);

test("unknown ids and those of another tenant are missing", async () => {
  const { data: own } = await topics.createTopic({ title: "own" }, testCall(tenant));
  const { data: other } = await topics.createTopic({ title: "other" }, testCall(testTenant()));
  const [topicIds, taskIds] = [[own?.id ?? "", other?.id ?? "", newId()], [newId()]];
  const answer = await references.checkReferences({ topicIds, taskIds }, testCall(tenant));
  expect(answer.missingTopicIds.sort()).toEqual(topicIds.slice(1).sort());
  expect(answer.missingTaskIds).toEqual(taskIds);
  expect(await references.checkReferences({}, testCall(tenant))).toMatchObject({
    missingTopicIds: [],
    missingTaskIds: [],
  });
});

test("tasks are returned with their topics and definitions with their types, archived ones too", async () => {
  const tasks = harness.client(TaskService);
  const definitions = harness.client(DefinitionService);
  const { data: topic } = await topics.createTopic({ title: "own" }, testCall(tenant));
  const words = { title: "t", description: "d" };
  const { task: linkedTask } = await tasks.createTask({ ...words, topicId: topic?.id ?? "" }, testCall(tenant));
  const { task: archivedTask } = await tasks.createTask(words, testCall(tenant));
  const { task: other } = await tasks.createTask(words, testCall(testTenant()));
  await tasks.archiveTask({ id: archivedTask?.id ?? "" }, testCall(tenant));
  const recall = { type: EvalDefinitionType.RECALL, name: "n" };
  const { data: definition } = await definitions.createDefinition(recall, testCall(tenant));
  const { data: foreign } = await definitions.createDefinition(recall, testCall(testTenant()));

  const answer = await references.checkReferences(
    {
      taskIds: [linkedTask?.id.toUpperCase() ?? "", archivedTask?.id ?? "", other?.id ?? ""],
      definitionIds: [definition?.id ?? "", foreign?.id ?? ""],
    },
    testCall(tenant),
  );
  expect(answer).toMatchObject({ missingTaskIds: [other?.id], missingDefinitionIds: [foreign?.id] });
  expect(answer.definitions).toMatchObject([{ id: definition?.id, type: EvalDefinitionType.RECALL }]);
  const found = new Map(answer.tasks.map(({ id, topicId, isArchived }) => [id, { topicId, isArchived }]));
  expect(found).toEqual(
    new Map([
      [linkedTask?.id, { topicId: topic?.id, isArchived: false }],
      [archivedTask?.id, { topicId: undefined, isArchived: true }],
    ]),
  );
});

test("a registered quickstart can be linked to a topic; registering is idempotent", async () => {
  const id = newId();
  await references.registerQuickstart({ id }, testCall(tenant));
  await references.registerQuickstart({ id }, testCall(tenant));
  await expect(topics.createTopic({ title: "a", quickstartId: id }, testCall(tenant))).resolves.toBeDefined();
});
