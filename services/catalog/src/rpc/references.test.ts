import { newId } from "@ems/kit/id";
import { testCall, testTenant } from "@ems/kit/testing";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { expect, test } from "vitest";
import { catalogRig } from "../testing.ts";

const rig = await catalogRig();
const { topics, tenant } = rig;
const references = rig.client(ReferenceService);

test("ids that name nothing of the application are missing, another tenant's among them", async () => {
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

test("a registered quickstart can be linked to a topic; registering is repeatable", async () => {
  const id = newId();
  await references.registerQuickstart({ id }, testCall(tenant));
  await references.registerQuickstart({ id }, testCall(tenant));
  await expect(topics.createTopic({ title: "a", quickstartId: id }, testCall(tenant))).resolves.toBeDefined();
});
