import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { FactScope, FactService, FactStatus } from "@ems/proto/catalog/v1/fact_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { judgedFactsBytesMax } from "@ems/proto/limits";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { TOPIC, APPLICATION } = FactScope;
const { FACT, CUSTOM } = EvalDefinitionType;

/** Creates a new tenant with a topic, a task of that topic, and a definition. */
async function judged(type: EvalDefinitionType = FACT) {
  const call = testCall(testTenant());
  const topicId = (await harness.topics.createTopic({ title: "Accounts" }, call)).data?.id ?? "";
  const newTask = async (topic: object) =>
    (await harness.tasks.createTask({ title: "t", description: "d", ...topic }, call)).task?.id ?? "";
  const globalConfig = type === FACT ? {} : { criterion: "It is polite" };
  const { data } = await harness.definitions.createDefinition({ type, name: "True", globalConfig }, call);
  const create = async (statement: string, fields: object = { topicIds: [topicId] }) => {
    harness.clock.advance(1_000);
    await harness.client(FactService).createFact({ statement, scope: TOPIC, ...fields }, call);
  };
  const ids = [data?.id ?? ""];
  const listFacts = async (taskId?: string) => {
    const request = { ids, ...(taskId !== undefined && { taskId }) };
    return (await harness.client(TestPlanService).batchGetJudgeDefinitions(request, call)).facts;
  };
  return { create, listFacts, newTask, topicId, taskId: await newTask({ topicId }) };
}

test("a task is judged by the active facts of its topic, then the application's, oldest first", async () => {
  const fixture = await judged();
  await fixture.create("everywhere", { scope: APPLICATION });
  await fixture.create("first");
  await fixture.create("second");
  await fixture.create("draft", { topicIds: [fixture.topicId], status: FactStatus.DRAFT });
  await fixture.create("nowhere", { topicIds: [] });
  await (await judged()).create("theirs", { scope: APPLICATION });
  expect(await fixture.listFacts(fixture.taskId)).toEqual(["first", "second", "everywhere"]);
  for (const taskId of [undefined, newId(), await fixture.newTask({})])
    expect(await fixture.listFacts(taskId)).toEqual([]);
});

test("without facts of its topic, a task is judged by no facts of the application either", async () => {
  const fixture = await judged();
  await fixture.create("everywhere", { scope: APPLICATION });
  await fixture.create("draft", { topicIds: [fixture.topicId], status: FactStatus.DRAFT });
  expect(await fixture.listFacts(fixture.taskId)).toEqual([]);
});

test("definitions of other types have no facts", async () => {
  const fixture = await judged(CUSTOM);
  await fixture.create("first");
  expect(await fixture.listFacts(fixture.taskId)).toEqual([]);
});

test("facts beyond the limit are counted, not read", async () => {
  const fixture = await judged();
  const long = "ä".repeat(2_000);
  const fitting = Math.floor(judgedFactsBytesMax / Buffer.byteLength(long));
  for (let count = 0; count < fitting + 2; count++) await fixture.create(long);
  const facts = await fixture.listFacts(fixture.taskId);
  expect(facts).toHaveLength(fitting + 1);
  expect(facts.at(-1)).toBe("[... 2 facts left out ...]");
});
