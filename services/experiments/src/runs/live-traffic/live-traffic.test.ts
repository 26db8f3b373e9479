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

/** Creates an application whose live traffic is judged completely, by a definition that applies to every task. */
async function monitored(sampleRate = 1) {
  const application = executions(harness, testTenant());
  const task = () => {
    const id = newId();
    harness.plans.set(id, { definitions: [{ id: newId(), type: EvalDefinitionType.FACT }] });
    return id;
  };
  const [ofApplication, ofTopic, named] = [task(), task(), task()];
  const topicId = newId();
  harness.deduced.set("", ofApplication);
  harness.deduced.set(topicId, ofTopic);
  await execution.setExecutionSettings({ sampleRate }, application.call());
  expect(await execution.getExecutionSettings({}, application.call())).toMatchObject({ sampleRate });
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
      application.call(),
    );
  const listed = async () => (await tests.listTests({ limit: 100 }, application.call())).data;
  return { ...application, ofApplication, ofTopic, named, topicId, send, listed };
}

describe("sampled live traffic", () => {
  test("becomes tests of one MONITORING run, for the named task, the named topic or the application", async () => {
    const application = await monitored();
    // Waits until the service has read the new sample rate.
    await expect
      .poll(
        async () => {
          await application.send();
          return (await application.listed()).length;
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBeGreaterThan(0);
    const before = (await application.listed()).length;
    await application.send({ "ems.task.id": application.named });
    await application.send({ "ems.topic.id": application.topicId });
    await application.send({ "ems.topic.id": newId() });
    const tasks = async () => (await application.listed()).map(({ taskId }) => taskId);
    await expect
      .poll(tasks, { timeout: 20_000 })
      .toEqual(expect.arrayContaining([application.named, application.ofTopic]));
    await expect.poll(async () => (await tasks()).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(before + 3);

    const all = await application.listed();
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(1);
    expect(all.every(({ evals }) => evals.length === 1)).toBe(true);
    const [first] = all;
    const input = await execution.getJudgeInput(
      { testId: first?.id ?? "", evaluationIds: first?.evals.map(({ id }) => id) ?? [] },
      application.call(),
    );
    expect(input).toMatchObject({ question: "What is it?", output: "It is 42.", hasRetriever: false });
    expect(input.facts).toEqual([`What is true of ${first?.taskId}`]);

    const run = async () => (await runs.getRun({ id: first?.runId ?? "" }, application.call())).run;
    expect(await run()).toMatchObject({ type: RunType.MONITORING, status: ResultStatus.IN_PROGRESS });
    // Moves the runs' days back, so that more than an hour has passed since their end.
    await database.sql("UPDATE experiments.monitoring_run SET day = day - 2");
    await expect.poll(async () => (await run())?.status, { timeout: 20_000 }).toBe(ResultStatus.COMPLETED);
    expect(await application.events("run.completed", first?.runId ?? "")).toHaveLength(1);
    await expectExactSums(database, application.tenant.applicationId);
  });

  test("makes no tests for another application or at a rate of zero", async () => {
    const [silent, other] = [await monitored(0), await monitored(0)];
    await silent.send();
    await other.send({ "ems.task.id": silent.named });
    expect(await database.sql("SELECT 1 FROM traces.trace_settling")).toEqual([]);
    expect([...(await silent.listed()), ...(await other.listed())]).toEqual([]);
  });
});
