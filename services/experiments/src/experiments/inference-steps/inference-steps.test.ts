import { Code } from "@ems/kit/errors";
import {
  InferenceStepOrder,
  InferenceStepService,
  InferenceStepType,
} from "@ems/proto/experiments/v1/inference_step_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, clock } = harness;
const steps = harness.client(InferenceStepService);
const { LLM, RETRIEVER } = InferenceStepType;
const titles = (list: { data: { title: string }[] }) => list.data.map(({ title }) => title);

test("an externalId is unique in its application and optional", async () => {
  const by = testTenant();
  const step = { title: "Ask", type: LLM, externalId: "ask" };
  expect((await steps.createInferenceStep(step, testCall(by))).data).toMatchObject({ ...step, description: "" });
  await expect(steps.createInferenceStep({ ...step, title: "other" }, testCall(by))).rejects.toMatchObject({
    code: Code.AlreadyExists,
    rawMessage: "An inference step with this externalId exists",
  });
  await steps.createInferenceStep(step, testCall(testTenant()));
  for (const title of ["a", "b"]) {
    const { data } = await steps.createInferenceStep({ title, type: RETRIEVER }, testCall(by));
    expect(data?.externalId).toBeUndefined();
  }
  expect((await steps.listInferenceSteps({}, testCall(by))).pagination?.total).toBe(3n);
});

test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
  for (const [title, type] of [
    ["b", LLM],
    ["a", RETRIEVER],
    ["C", LLM],
  ] as const) {
    await steps.createInferenceStep({ title, type }, testCall(tenant));
    clock.advance(1_000);
  }
  expect(titles(await steps.listInferenceSteps({}, testCall(tenant)))).toEqual(["C", "a", "b"]);
  for (const orderBy of [
    InferenceStepOrder.CREATED_AT,
    InferenceStepOrder.MODIFIED_AT,
    InferenceStepOrder.TITLE,
    InferenceStepOrder.TYPE,
    InferenceStepOrder.ID,
  ]) {
    for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
      const whole = await steps.listInferenceSteps({ orderBy, orderDir }, testCall(tenant));
      const pages = await Promise.all(
        [0n, 1n, 2n].map((skip) => steps.listInferenceSteps({ orderBy, orderDir, skip, limit: 1 }, testCall(tenant))),
      );
      expect(pages.flatMap(titles)).toEqual(titles(whole));
    }
  }
});

test("another tenant's list is empty", async () => {
  expect((await steps.listInferenceSteps({}, testCall(testTenant()))).data).toEqual([]);
});
