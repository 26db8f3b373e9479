// Acts as notifications, the application and evaluation, for tests of a test's life cycle.

import { fromJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ExecutionService, type Work } from "@ems/proto/experiments/v1/execution_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { type Test, TestService } from "@ems/proto/experiments/v1/test_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect } from "vitest";
import type { experimentsHarness } from "./harness.ts";

const answer = fromJson(ValueSchema, "Good morning");
export const passedOutcome = { status: EvaluationStatus.COMPLETED, score: 1, passed: true };

/** Returns helpers for one tenant. */
export function executions(harness: Awaited<ReturnType<typeof experimentsHarness>>, tenant = testTenant()) {
  const execution = harness.client(ExecutionService);
  const [runs, tests, ingest] = [
    harness.client(RunService),
    harness.client(TestService),
    harness.client(IngestService),
  ];
  const call = () => testCall(tenant);

  const listTests = async (runId: string): Promise<Test[]> =>
    (await tests.listTests({ runId: [runId], limit: 100, orderBy: 4 }, call())).data;
  const readRun = async (id: string) => (await runs.getRun({ id }, call())).run;

  /** Starts a run of one task with the given number of definitions. */
  const trigger = async ({ definitions = 1, repeat = 1, simulate = false, plan = {} } = {}) => {
    const taskId = newId();
    const ids = Array.from({ length: definitions }, () => newId());
    harness.plans.set(taskId, { definitions: ids.map((id) => ({ id, type: EvalDefinitionType.FACT })), ...plan });
    const { runId } = await runs.triggerTasks({ taskIds: [taskId], repeat, simulate }, call());
    return { runId, taskId, tests: await listTests(runId) };
  };
  const accept = (testId: string, answer?: string, acceptedAt?: Date) => {
    const value = {
      durationMs: 7,
      ...(answer !== undefined && { answer }),
      ...(acceptedAt !== undefined && { acceptedAt: timestampFromDate(acceptedAt) }),
    };
    return execution.recordPromptOutcome({ testId, outcome: { case: "accepted", value } }, call());
  };
  const fail = (testId: string, reason = "refused") =>
    execution.recordPromptOutcome({ testId, outcome: { case: "failed", value: { reason } } }, call());
  /** Sends traces with one step, which complete immediately. */
  const sendTrace = (...testIds: string[]) =>
    ingest.ingestEvents(
      { events: testIds.map((testId) => ({ type: "trace", testId, steps: [{ type: "response", content: answer }] })) },
      call(),
    );
  /** Claims work of this tenant until `count` items are claimed. */
  const claim = async (count: number): Promise<Work[]> => {
    const found: Work[] = [];
    await expect
      .poll(
        async () => {
          const { work } = await execution.claimWork({ limit: 500, leaseMs: 60_000 }, call());
          found.push(...work.filter(({ applicationId }) => applicationId === tenant.applicationId));
          return found.length;
        },
        { timeout: 15_000 },
      )
      .toBe(count);
    return found;
  };
  const listEvaluations = (work: readonly Work[]) =>
    work.flatMap(({ task }) => (task.case === "judge" ? task.value.evaluations : []));
  const record = (outcomes: Parameters<typeof execution.recordEvaluations>[0]["outcomes"]) =>
    execution.recordEvaluations({ ...(outcomes && { outcomes }) }, call());
  const events = async (type: string, text: string) =>
    (await outboxEvents(harness.database, "experiments", { type, text })).map(
      ({ payload }) => JSON.parse(payload).data,
    );
  const readTest = async (id: string) => (await tests.getTest({ id }, call())).test;
  return {
    tenant,
    call,
    execution,
    runs,
    tests,
    listTests,
    readRun,
    trigger,
    accept,
    fail,
    sendTrace,
    claim,
    listEvaluations,
    record,
    events,
    readTest,
    ended: [ResultStatus.COMPLETED, ResultStatus.FAILED] as readonly ResultStatus[],
  };
}
