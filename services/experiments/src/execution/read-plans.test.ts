import { Code } from "@connectrpc/connect";
import { newId } from "@ems/kit/id";
import { testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions } from "../../test/executions.ts";
import { experimentsHarness } from "../../test/harness.ts";

const harness = await experimentsHarness();
const of = executions(harness, testTenant());
const taskIds = Array.from({ length: 20 }, newId);

test.each([1, 3, 19])(
  "of twenty tasks whose plans are too large for an answer %i are asked for at once",
  async (max) => {
    harness.catalog.plansMax = max;
    const { runId } = await of.runs.triggerTasks({ taskIds }, of.call());
    const started = (await of.testsOf(runId)).map(({ task }) => task?.id);
    expect(started.toSorted()).toEqual(taskIds.toSorted());
  },
);

test("a plan that alone is too large for an answer is an error that says so, and starts nothing", async () => {
  harness.catalog.plansMax = 0;
  const runs = async () => (await of.runs.listRuns({}, of.call())).pagination?.total;
  const before = await runs();
  await expect(of.runs.triggerTasks({ taskIds }, of.call())).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(await runs()).toBe(before);
});
