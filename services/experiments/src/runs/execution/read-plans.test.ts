import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const of = executions(harness, testTenant());
const taskIds = Array.from({ length: 20 }, newId);

test.each([1, 3, 19])(
  "with twenty tasks whose plans exceed the response limit, %i are requested at a time",
  async (max) => {
    harness.catalog.plansMax = max;
    const { runId } = await of.runs.triggerTasks({ taskIds }, of.call());
    const started = (await of.listTests(runId)).map(({ task }) => task?.id);
    expect(started.toSorted()).toEqual(taskIds.toSorted());
  },
);

test("a single plan that exceeds the response limit is an error with a clear message and starts nothing", async () => {
  harness.catalog.plansMax = 0;
  const runs = async () => (await of.runs.listRuns({}, of.call())).pagination?.total;
  const before = await runs();
  await expect(of.runs.triggerTasks({ taskIds }, of.call())).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(await runs()).toBe(before);
});

test("expectations of tests with more than 16 MiB in total are refused", async () => {
  harness.catalog.plansMax = 1;
  const expected = fromJson(ValueSchema, "x".repeat(950_000));
  const large = Array.from({ length: 20 }, newId);
  const definitions = [1, 2].map(() => ({ id: newId(), type: EvalDefinitionType.FACT, expected }));
  for (const id of large) harness.plans.set(id, { definitions });
  const start = (ids: string[], repeat = 1) => of.runs.triggerTasks({ taskIds: ids, repeat }, of.call());
  for (const refused of [start(large), start(large.slice(0, 1), 9)])
    await expect(refused).rejects.toMatchObject({ code: Code.InvalidArgument });
  const { runId } = await start(large.slice(0, 2));
  expect(await of.listTests(runId)).toHaveLength(2);
});
