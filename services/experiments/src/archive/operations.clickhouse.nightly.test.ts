// What names or counts tests, evaluations and traces does so wherever they are: in PostgreSQL, or dropped from it, in part or all.

import { Code, ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { IssueService, IssueSource } from "@ems/proto/experiments/v1/issue_service";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { VariantService } from "@ems/proto/experiments/v1/variant_service";
import { testCall, testClickhouse, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { archivedApplications } from "../../test/archived-applications.ts";
import { dropping } from "../../test/dropped.ts";
import { passedOutcome } from "../../test/executions.ts";
import { experimentsHarness, user } from "../../test/harness.ts";

const clickhouse = await testClickhouse();
const harness = await experimentsHarness({ ...clickhouse.env, ARCHIVE_AFTER_DAYS: "3650" });
const { database, clock } = harness;
const runs = harness.client(RunService);
const variants = harness.client(VariantService);
const annotations = harness.client(HumanAnnotationService);
const queues = harness.client(HumanAnnotationQueueService);
const calibrations = harness.client(CalibrationService);
const issues = harness.client(IssueService);
const execution = harness.client(ExecutionService);
const evaluations = harness.client(EvaluationService);
const traces = harness.client(TraceService);
const { taskIds, definitionIds, traceIds, topicId, ...archived } = archivedApplications(harness, clickhouse);
const [definitionId = ""] = definitionIds;
const never = new AbortController().signal;
const dayMs = 86_400_000;

type Application = Awaited<ReturnType<typeof archived.newApplication>>;

/** What is brought back of each application after all of it was dropped. */
const restored = {
  "nothing dropped": [{}],
  "results dropped": [{ kind: "traces" }],
  "traces dropped": [{ kind: "results" }],
  "the early month dropped": [{ month: "2026-02" }],
  "all dropped": [],
  "the archive is away": [{ month: "2026-02" }],
};
type State = keyof typeof restored;
const states = Object.keys(restored) as State[];
const applications = {} as Record<State, Application>;

test("applications have rows in both stores, in part or all", {
  retry: 0,
  timeout: 300_000,
}, async () => {
  for (const state of states) applications[state] = await archived.newApplication();
  clock.advance(20 * dayMs);
  for (const { fill } of Object.values(applications)) await fill();
  await expect.poll(async () => (await database.sql("SELECT FROM experiments.search_job")).length).toBe(0);
  // It makes the archive's tables.
  await dropping(clickhouse, database);
  await archived.operator(async ({ run, restore }) => {
    await run(never, () => undefined);
    for (const state of states) {
      const application = applications[state].tenant.applicationId;
      for (const scope of restored[state]) await restore({ application, ...scope }, never, () => undefined);
    }
  });
  const rowsOf = async (state: State) => {
    const tables = ["test", "trace"].map(
      (table) => `SELECT count(*)::int AS rows FROM experiments.${table} WHERE application_id = $1`,
    );
    const found = await database.sql<{ rows: number }>(tables.join(" UNION ALL "), [
      applications[state].tenant.applicationId,
    ]);
    return found.map(({ rows }) => rows);
  };
  const counts = { nothing: [50, 50], results: [0, 50], traces: [50, 0], all: [0, 0], month: [25, 25] };
  expect(await Promise.all(states.map(rowsOf))).toEqual([
    ...[counts.nothing, counts.results, counts.traces, counts.month, counts.all, counts.month],
  ]);
});

interface Operation {
  /** `tenant` is the application's, or another one. */
  readonly run: (
    application: Application,
    call: Application["call"],
    tenant: Application["tenant"],
  ) => Promise<unknown>;
  /** That nobody dropped a row of: what the archive's absence does not touch. */
  readonly isLate?: boolean;
}

const early = { trace: traceIds[1] ?? "", other: traceIds[4] ?? "" };
const late = { trace: traceIds[25] ?? "", other: traceIds[28] ?? "" };
const source = HumanAnnotationSource.TRACE_PAGE;
const judging = (traceId: string) => ({ traceId, verdict: false, source, critique: "It forgot to say the fee." });

/** In order: some count what others before them have written. */
const operations: Readonly<Record<string, Operation>> = {
  "runs are compared": {
    run: ({ runIds: [a = "", b = ""] }, call) => runs.compareRuns({ a, b }, call()),
  },
  "variants are compared": {
    run: ({ experimentId: id, variantIds: [, variant = ""] }, call) =>
      variants.compareVariants({ id, variant }, call()),
  },
  "a judge is calibrated": { run: (_, call) => calibrations.getCalibration({ id: definitionId }, call()) },
  "a judge is calibrated of a topic, and of a time": {
    run: async (_, call) => [
      await calibrations.getCalibration({ id: definitionId, topicId }, call()),
      await calibrations.getCalibration(
        { id: definitionId, startDate: { seconds: BigInt(Date.parse("2026-02-01") / 1000) } as never },
        call(),
      ),
    ],
  },
  "the traces that say most wait in a queue": {
    run: ({ queueId }, call) => calibrations.queueCalibrationTraces({ id: definitionId, queueId, limit: 5 }, call()),
  },
  "a trace is read for a judge": { run: (_, call) => execution.getTraceInput({ traceId: early.trace }, call()) },
  "a late trace is read for a judge": {
    isLate: true,
    run: (_, call) => execution.getTraceInput({ traceId: late.trace }, call()),
  },
  "a task is made of a trace": {
    run: async (_, call) => (await traces.createTaskFromTrace({ traceId: early.other }, call())).task,
  },
  "traces wait in a queue": {
    run: ({ queueId }, call) =>
      queues.addHumanAnnotationQueueItems({ id: queueId, traceIds: [early.trace, late.trace, early.trace] }, call()),
  },
  "a late trace waits in a queue": {
    isLate: true,
    run: ({ queueId }, call) => queues.addHumanAnnotationQueueItems({ id: queueId, traceIds: [late.other] }, call()),
  },
  "a trace is judged": {
    run: async (_, call, { applicationId }) => {
      const { data } = await annotations.createHumanAnnotation(judging(early.trace), call());
      const about =
        "SELECT test_id, task_id, topic_id FROM experiments.human_annotation WHERE application_id = $1 AND id = $2";
      return { data, about: await database.sql(about, [applicationId, data?.id]) };
    },
  },
  "a late trace is judged": {
    isLate: true,
    run: (_, call) => annotations.createHumanAnnotation(judging(late.trace), call()),
  },
  "a judgement changes": {
    isLate: true,
    run: ({ annotationIds: [, id = ""] }, call) => annotations.updateHumanAnnotation({ id, verdict: true }, call()),
  },
  "the calibration of the list follows": {
    run: async (_, __, { applicationId }) => {
      const read = () =>
        database.sql<{ measured: boolean }>(
          `SELECT marks = measured_marks AS measured, definition_version, human_passed, human_failed, undecided, sensitivity, specificity, kappa
           FROM experiments.judge_calibration WHERE application_id = $1 AND definition_id = $2`,
          [applicationId, definitionId],
        );
      await expect.poll(async () => (await read())[0]?.measured ?? true, { timeout: 30_000 }).toBe(true);
      return read();
    },
  },
  "issues name a test, a trace": {
    run: async ({ testIds: [testId = ""] }, call) => {
      for (const about of [{ testId }, { traceId: early.trace }]) {
        await issues.createIssue({ title: `About ${Object.keys(about)}`, source: IssueSource.API, ...about }, call());
      }
      const { data } = await issues.listIssues({}, call());
      return data.filter(({ title }) => title.startsWith("About"));
    },
  },
  "an issue names a late test": {
    isLate: true,
    run: ({ testIds }, call) =>
      issues.createIssue({ title: "Late", source: IssueSource.API, testId: testIds[24] ?? "" }, call()),
  },
  "unknown ids are not found": {
    run: async ({ queueId }, call) => {
      const failures = [
        () => issues.createIssue({ title: "x", source: IssueSource.API, testId: newId() }, call()),
        () => queues.addHumanAnnotationQueueItems({ id: queueId, traceIds: [early.trace, newId()] }, call()),
        () => annotations.createHumanAnnotation(judging(newId()), call()),
        () => execution.getTraceInput({ traceId: newId() }, call()),
        () => evaluations.rerunEvaluations({ ids: [newId()] }, call()),
      ];
      return Promise.all(failures.map((fail) => answerOf(fail)));
    },
  },
  "evaluations are made anew, by ids and by filters": {
    run: async ({ of, judged: [first, last] }, call) => {
      const ids = first?.evaluationIds.slice(0, 1) ?? [];
      const filter = { runId: last?.runId ?? "", status: [EvaluationStatus.COMPLETED] };
      const counts = [];
      for (const request of [{ ids }, { ids }, { ids: [], ...filter }]) {
        counts.push(await evaluations.rerunEvaluations(request, call()));
      }
      if (counts[0]?.count === 0n) return counts;
      const anew = of.evaluationsOf(await of.claim(2)).map(({ id }) => id);
      const found = [];
      for (const { testId, runId } of [first, last].flatMap((one) => one ?? [])) {
        const input = await execution.getJudgeInput({ testId, evaluationIds: anew }, call());
        await of.record(input.evaluations.map(({ id }) => ({ id, ...passedOutcome, score: 0.5 })));
        const { data } = await evaluations.listEvaluations({ testId: [testId], includeReplaced: true }, call());
        const replaced = data.filter(({ replacedById }) => replacedById !== undefined).length;
        found.push({ input, test: await of.readTest(testId), run: await of.runOf(runId), replaced });
      }
      return { counts, found };
    },
  },
};

/** An answer, or what was refused, in words that are the same in each application. */
async function answerOf(run: () => Promise<unknown>): Promise<unknown> {
  return run().catch((error: unknown) => {
    if (!(error instanceof ConnectError)) throw error;
    return { code: error.code, message: error.rawMessage };
  });
}
function named(answer: unknown, application: Application): unknown {
  const names = new Map(
    Object.entries({
      test: application.testIds,
      run: application.runIds,
      variant: application.variantIds,
      annotation: application.annotationIds,
      task: taskIds,
      definition: definitionIds,
      trace: traceIds,
      evaluation: application.judged.flatMap((one) => one.evaluationIds),
    }).flatMap(([name, all]) => all.map((id, index) => [id, `${name} ${index}`] as const)),
  );
  const text = JSON.stringify(answer, (_, one) => (typeof one === "bigint" ? String(one) : one));
  const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
  return JSON.parse(text.replaceAll(uuid, (id) => names.get(id) ?? "an id"));
}

test.each(Object.entries(operations))(
  "%s, whatever was dropped, and for its application alone",
  {
    retry: 0,
    timeout: 120_000,
  },
  async (_, { run }) => {
    const answers: Record<string, unknown> = {};
    for (const state of states.filter((one) => one !== "the archive is away")) {
      const application = applications[state];
      const other = { ...testTenant(), userId: user.id };
      const [foreign, ours] = [
        await answerOf(() => run(application, () => testCall(other, 60_000), other)),
        await answerOf(() => run(application, application.call, application.tenant)),
      ];
      answers[state] = { ours: named(ours, application), foreign: named(foreign, application) };
    }
    const [first = "", ...rest] = Object.keys(answers);
    expect(answers[first]).not.toMatchObject({ ours: { code: expect.any(Number) } });
    for (const state of rest) expect({ [state]: answers[state] }).toEqual({ [state]: answers[first] });
  },
);

test.skipIf(!clickhouse.isOurs)(
  "while the archive is away, what names no dropped row is done, and the rest is 503",
  { retry: 0, timeout: 120_000 },
  async () => {
    const application = applications["the archive is away"];
    await clickhouse.kill();
    for (const [name, { run, isLate = false }] of Object.entries(operations)) {
      if (name === "unknown ids are not found" || name === "the calibration of the list follows") continue;
      const error = await run(application, application.call, application.tenant).then(
        () => undefined,
        (reason: ConnectError) => reason,
      );
      if (isLate) expect(error, name).toBeUndefined();
      else {
        expect(error, name).toMatchObject({ code: Code.Unavailable });
        expect(error?.metadata.get("retry-after"), name).toMatch(/^\d+$/);
      }
    }
    await clickhouse.start();
    await runs.compareRuns({ a: application.runIds[0] ?? "", b: application.runIds[1] ?? "" }, application.call());
  },
);
