import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ExperimentService, ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { InferenceStepService, InferenceStepType } from "@ems/proto/experiments/v1/inference_step_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, database, missing, referenceChecks } = harness;
const experiments = harness.client(ExperimentService);
const steps = harness.client(InferenceStepService);

async function step(by = tenant): Promise<string> {
  const answer = await steps.createInferenceStep({ title: "Ask", type: InferenceStepType.LLM }, testCall(by));
  return answer.data?.id ?? "";
}

test("an experiment needs only a title: it is an unassigned DRAFT without steps and tasks", async () => {
  referenceChecks.length = 0;
  const { data } = await experiments.createExperiment({ title: "Shorter prompts" }, testCall(tenant));
  expect(data).toMatchObject({
    title: "Shorter prompts",
    description: "",
    status: ExperimentStatus.DRAFT,
    inferenceStepIds: [],
    taskIds: [],
  });
  expect(data?.assignee).toBeUndefined();
  expect(referenceChecks).toEqual([]);
});

test("all fields are stored, with distinct ids in request order", async () => {
  const [a, b] = [await step(), await step()];
  const taskIds = [newId(), newId()];
  const { data } = await experiments.createExperiment(
    { title: "t", description: "d", assignee: "ada", inferenceStepIds: [b, a.toUpperCase(), b], taskIds },
    testCall(tenant),
  );
  expect(data).toMatchObject({ description: "d", assignee: "ada", inferenceStepIds: [b, a], taskIds });
  expect((await experiments.getExperiment({ id: data?.id ?? "" }, testCall(tenant))).data).toEqual(data);
});

test("a step or task of another application is not found, and nothing is created", async () => {
  const [own, other, task] = [await step(), await step(testTenant()), newId()];
  missing.add(task);
  for (const [ids, what] of [
    [{ inferenceStepIds: [own, other] }, "Inference step"],
    [{ inferenceStepIds: [newId()] }, "Inference step"],
    [{ inferenceStepIds: [own], taskIds: [newId(), task] }, "Task"],
  ] as const) {
    const request = { title: "refused", inferenceStepIds: [...ids.inferenceStepIds], taskIds: [] as string[] };
    if ("taskIds" in ids) request.taskIds = [...ids.taskIds];
    await expect(experiments.createExperiment(request, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: `${what} not found`,
    });
  }
  expect(await database.sql("SELECT FROM experiments.experiment WHERE title = 'refused'")).toEqual([]);
  expect(await outboxEvents(database, "experiments", { text: "refused" })).toEqual([]);
});

test("up to 1000 tasks are looked up in one call and fit the event", async () => {
  referenceChecks.length = 0;
  const taskIds = Array.from({ length: 1000 }, newId);
  const { data } = await experiments.createExperiment({ title: "many", taskIds }, testCall(tenant));
  expect(data?.taskIds).toHaveLength(1000);
  expect(referenceChecks).toHaveLength(1);
  const tooManyRequests = { title: "many", taskIds: [...taskIds, newId()] };
  await expect(experiments.createExperiment(tooManyRequests, testCall(tenant))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});

test("the event contains the API's message", async () => {
  const { data } = await experiments.createExperiment({ title: "Told" }, testCall(tenant));
  const [event] = await outboxEvents(database, "experiments", { text: "Told" });
  expect(event?.type).toBe("experiment.created");
  expect(JSON.parse(event?.payload ?? "").data).toMatchObject({ id: data?.id, status: "DRAFT", assignee: null });
});
