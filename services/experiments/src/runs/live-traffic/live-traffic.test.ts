import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testTenant } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { executions } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";

const harness = await experimentsHarness();
const { database } = harness;
const [ingest, execution, tests, runs] = [
  harness.client(IngestService),
  harness.client(ExecutionService),
  harness.client(TestService),
  harness.client(RunService),
];
const text = (value: string) => fromJson(ValueSchema, value);

/** An application with all of its live traffic judged; a definition applies to every task. */
async function monitored(sampleRate = 1) {
  const one = executions(harness, testTenant());
  const task = () => {
    const id = newId();
    harness.plans.set(id, { definitions: [{ id: newId(), type: EvalDefinitionType.FACT }] });
    return id;
  };
  const [ofApplication, ofTopic, named] = [task(), task(), task()];
  const topicId = newId();
  harness.deduced.set("", ofApplication);
  harness.deduced.set(topicId, ofTopic);
  await execution.setExecutionSettings({ sampleRate }, one.call());
  expect(await execution.getExecutionSettings({}, one.call())).toMatchObject({ sampleRate });
  const send = (metadata: Record<string, string> = {}) =>
    ingest.ingestEvents(
      {
        events: [
          {
            type: "trace",
            metadata: fromJson(ValueSchema, metadata),
            steps: [
              { type: "request", content: text("What is it?") },
              { type: "response", content: text("It is 42.") },
            ],
          },
        ],
      },
      one.call(),
    );
  const listed = async () => (await tests.listTests({ limit: 100 }, one.call())).data;
  return { ...one, ofApplication, ofTopic, named, topicId, send, listed };
}

describe("sampled live traffic", () => {
  test("becomes tests of one MONITORING run, for the named task, the named topic or the application", async () => {
    const one = await monitored();
    // Until the service has read the sample rate.
    await expect
      .poll(
        async () => {
          await one.send();
          return (await one.listed()).length;
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBeGreaterThan(0);
    const before = (await one.listed()).length;
    await one.send({ "ems.task.id": one.named });
    await one.send({ "ems.topic.id": one.topicId });
    await one.send({ "ems.topic.id": newId() });
    const tasks = async () => (await one.listed()).map(({ taskId }) => taskId);
    await expect.poll(tasks, { timeout: 20_000 }).toEqual(expect.arrayContaining([one.named, one.ofTopic]));
    await expect.poll(async () => (await tasks()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 3);

    const all = await one.listed();
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(1);
    expect(all.every(({ evals }) => evals.length === 1)).toBe(true);
    const [first] = all;
    const input = await execution.getJudgeInput(
      { testId: first?.id ?? "", evaluationIds: first?.evals.map(({ id }) => id) ?? [] },
      one.call(),
    );
    expect(input).toMatchObject({ question: "What is it?", output: "It is 42.", hasRetriever: false });
    expect(input.facts).toEqual([`What is true of ${first?.taskId}`]);

    const run = async () => (await runs.getRun({ id: first?.runId ?? "" }, one.call())).run;
    expect(await run()).toMatchObject({ type: RunType.MONITORING, status: ResultStatus.IN_PROGRESS });
    // An hour and a day later.
    await database.sql("UPDATE experiments.monitoring_run SET day = day - 2");
    await expect.poll(async () => (await run())?.status, { timeout: 20_000 }).toBe(ResultStatus.COMPLETED);
    expect(await one.events("run.completed", first?.runId ?? "")).toHaveLength(1);
    await expectExactSums(database, one.tenant.applicationId);
  });

  test("makes no tests for another application or at a rate of zero", async () => {
    const [one, other] = [await monitored(0), await monitored(0)];
    await one.send();
    await other.send({ "ems.task.id": one.named });
    expect(await database.sql("SELECT 1 FROM traces.trace_settling")).toEqual([]);
    expect([...(await one.listed()), ...(await other.listed())]).toEqual([]);
  });
});
