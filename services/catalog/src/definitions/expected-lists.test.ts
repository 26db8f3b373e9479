import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { definitions, tasks, topics } = await catalogHarness();
const { FACT, OUTPUT_MATCH } = EvalDefinitionType;
const refused = { code: Code.InvalidArgument };

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

test("a comparison of strings expects a text; a comparison of lists expects a text or a list", async () => {
  const { newDefinition, link, linked } = await newLinks();
  const [compared, listed, fact] = [
    await newDefinition(OUTPUT_MATCH, { type: "string" }),
    await newDefinition(OUTPUT_MATCH, list),
    await newDefinition(FACT, {}),
  ];
  for (const to of [link.task, link.topic]) {
    for (const ids of [[compared], [listed, compared]]) await expect(to(ids, ["a"])).rejects.toMatchObject(refused);
    expect(await linked()).toEqual(to === link.task ? [] : expect.arrayContaining([listed, fact, compared]));
    await to([compared, listed, fact], "a");
    await to([listed, fact], ["a"]);
  }
});

test("a comparison of lists cannot become one of strings while a link expects a list", async () => {
  const { newDefinition, link, update } = await newLinks();
  for (const to of [link.task, link.topic]) {
    const id = await newDefinition(OUTPUT_MATCH, list);
    await to([id], ["a"]);
    await expect(update(id, { type: "string" })).rejects.toMatchObject(refused);
    await update(id, { ...list, scoreMetric: "recall" });
    await to([id], "a");
    await update(id, { type: "string" });
  }
});

test("of a concurrent list expectation and change of the comparison, one is refused", async () => {
  for (let round = 0; round < 10; round++) {
    const { newDefinition, link, update } = await newLinks();
    const id = await newDefinition(OUTPUT_MATCH, list);
    const outcomes = await Promise.allSettled([
      link[round % 2 === 0 ? "task" : "topic"]([id], ["a"]),
      update(id, { type: "string" }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  }
});
