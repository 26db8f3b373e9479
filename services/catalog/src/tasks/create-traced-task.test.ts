import { fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { type CreateTracedTaskRequestSchema, TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, tags, definitions, tenant, database, client } = await catalogHarness();
const plans = client(TestPlanService);
const draft = { title: "Fee", description: "Asked", inputExamples: ["What does it cost?"] };
const { data: tag } = await tags.createTag({ name: "live" }, testCall(tenant));
const fact = { type: EvalDefinitionType.FACT, name: "Fee" };
const { data: definition } = await definitions.createDefinition(fact, testCall(tenant));
const [tagId, evalId] = [tag?.id ?? "", definition?.id ?? ""];

test("a task of a trace is created with its tags and links, and the response equals the stored task", async () => {
  const traceId = newId();
  const config = { expected: fromJson(ValueSchema, "12 euros") };
  const request = { task: draft, traceId, tagIds: [tagId, tagId.toUpperCase()], evalIds: [evalId], config };
  const { task, earlierTaskIds } = await plans.createTracedTask(request, testCall(tenant));
  expect(task).toMatchObject({ ...draft, traceId });
  expect(task?.evalDefinitions).toMatchObject([{ evalDefinition: { id: evalId }, config }]);
  expect(earlierTaskIds).toEqual([]);
  const id = task?.id ?? "";
  const { task: read } = await tasks.getTask({ id }, testCall(tenant));
  expect(read?.evalDefinitions).toEqual(task?.evalDefinitions);
  expect((await tags.listTaskTags({ id }, testCall(tenant))).data.map((each) => each.id)).toEqual([tagId]);
  const events = await outboxEvents(database, "catalog", { text: id });
  expect(events.map(({ type }) => type).sort()).toEqual(["definition.linked", "task.tagged"]);

  const second = await plans.createTracedTask({ task: draft, traceId }, testCall(tenant));
  const third = await plans.createTracedTask({ task: draft, traceId }, testCall(tenant));
  expect(third.earlierTaskIds).toEqual([second.task?.id, id]);
  expect((await plans.createTracedTask({ task: draft, traceId }, testCall(testTenant()))).earlierTaskIds).toEqual([]);
});

test("an unknown reference creates nothing", async () => {
  const traceId = newId();
  const wrong: [MessageInitShape<typeof CreateTracedTaskRequestSchema>, string][] = [
    [{ task: draft, tagIds: [newId()] }, "Tag not found"],
    [{ task: draft, evalIds: [newId()] }, "Evaluation definition not found"],
    [{ task: { ...draft, topicId: newId() } }, "Topic not found"],
  ];
  for (const [request, message] of wrong) {
    const refused = { code: Code.NotFound, rawMessage: message };
    await expect(plans.createTracedTask({ traceId, ...request }, testCall(tenant))).rejects.toMatchObject(refused);
  }
  expect(await database.sql("SELECT FROM catalog.task WHERE trace_id = $1", [traceId])).toEqual([]);
});
