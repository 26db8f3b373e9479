import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { definitions, tasks, topics } = await catalogHarness();
const { FACT, OUTPUT_MATCH } = EvalDefinitionType;

const list = { type: "list", matchMode: "contains" };
const expecting = (expected: JsonValue) => ({ config: { expected: fromJson(ValueSchema, expected) } });

async function newLinks() {
  const call = testCall(testTenant());
  const taskIds = [(await tasks.createTask({ title: "t", description: "d" }, call)).task?.id ?? ""];
  const topicIds = [(await topics.createTopic({ title: "t" }, call)).data?.id ?? ""];
  return {
    newDefinition: async (type: EvalDefinitionType, globalConfig: object) =>
      (await definitions.createDefinition({ type, name: "n", globalConfig }, call)).data?.id ?? "",
    update: (id: string, globalConfig: object) => definitions.updateDefinition({ id, globalConfig }, call),
    link: {
      task: (evalIds: string[], expected: JsonValue) =>
        definitions.linkTasks({ evalIds, taskIds, ...expecting(expected) }, call),
      topic: (evalIds: string[], expected: JsonValue) =>
        definitions.linkTopics({ evalIds, topicIds, ...expecting(expected) }, call),
    },
    linked: async (taskId = taskIds) => (await definitions.listDefinitions({ taskId }, call)).data.map(({ id }) => id),
  };
}

test("every definition may expect a text or a list, also after a change of its comparison", async () => {
  const { newDefinition, link, update, linked } = await newLinks();
  const ids = [
    await newDefinition(OUTPUT_MATCH, { type: "string" }),
    await newDefinition(OUTPUT_MATCH, list),
    await newDefinition(FACT, {}),
  ];
  for (const to of [link.task, link.topic]) {
    await to(ids, ["a", "b"]);
    await to(ids, "a");
    await to(ids, ["a"]);
  }
  expect((await linked()).toSorted()).toEqual(ids.toSorted());
  await update(ids[1] ?? "", { type: "string", settings: { exact: true } });
});
