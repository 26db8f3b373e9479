// Operations that compare, count or refer to tests, evaluations and traces work in both stores. Changes of archived
// rows are refused.

import { Code, ConnectError } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
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
import { archivedApplications } from "../../../test/archived-applications.ts";
import { dropping } from "../../../test/dropped.ts";
import { experimentsHarness, user } from "../../../test/harness.ts";

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

/** Months that each application restores after all its rows were archived. */
const restored = {
  "nothing archived": [{}],
  "the early month archived": [{ month: "2026-02" }],
  "all archived": [],
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
  await expect.poll(async () => (await database.sql("SELECT FROM traces.search_job")).length).toBe(0);
  // Starting the archive creates its tables in ClickHouse.
  await dropping(clickhouse, database);
  await archived.operator(async ({ run, restore }) => {
    await run(never, () => undefined);
    for (const state of states) {
      const application = applications[state].tenant.applicationId;
      for (const scope of restored[state]) await restore({ application, ...scope }, never, () => undefined);
    }
  });
  const readRows = async (state: State) => {
    const tables = ["experiments.test", "traces.trace"].map(
      (table) => `SELECT count(*)::int AS rows FROM ${table} WHERE application_id = $1`,
    );
    const found = await database.sql<{ rows: number }>(tables.join(" UNION ALL "), [
      applications[state].tenant.applicationId,
    ]);
    return found.map(({ rows }) => rows);
  };
  const counts = { nothing: [50, 50], all: [0, 0], month: [25, 25] };
  expect(await Promise.all(states.map(readRows))).toEqual([counts.nothing, counts.month, counts.all, counts.month]);
});

interface Operation {
  /** `tenant` is the tenant of the application, or a different one. */
  readonly run: (
    application: Application,
    call: Application["call"],
    tenant: Application["tenant"],
  ) => Promise<unknown>;
  /** True if the operation uses rows that stay in PostgreSQL when the early month is archived. */
  readonly isLate?: boolean;
  /** True if the operation changes rows, which is refused for archived rows. */
  readonly isChange?: boolean;
}

const early = { trace: traceIds[1] ?? "", other: traceIds[4] ?? "" };
const late = { trace: traceIds[25] ?? "", other: traceIds[28] ?? "" };
const source = HumanAnnotationSource.TRACE_PAGE;
const judging = (traceId: string) => ({ traceId, verdict: false, source, critique: "It forgot to say the fee." });
/** Removes the suggested traces to annotate next, which only come from PostgreSQL. */
const withoutNext = ({ data }: Awaited<ReturnType<typeof calibrations.getCalibration>>) => ({ ...data, next: [] });

/** The order matters: some operations count rows that earlier ones have written. */
const operations: Readonly<Record<string, Operation>> = {
  "runs are compared": {
    run: ({ runIds: [a = "", b = ""] }, call) => runs.compareRuns({ a, b }, call()),
  },
  "variants are compared": {
    run: ({ experimentId: id, variantIds: [, variant = ""] }, call) =>
      variants.compareVariants({ id, variant }, call()),
  },
  "a judge is calibrated": {
    run: async (_, call) => withoutNext(await calibrations.getCalibration({ id: definitionId }, call())),
  },
  "a judge is calibrated of a topic, and of a time": {
    run: async (_, call) => [
      withoutNext(await calibrations.getCalibration({ id: definitionId, topicId }, call())),
      withoutNext(
        await calibrations.getCalibration(
          { id: definitionId, startDate: { seconds: BigInt(Date.parse("2026-02-01") / 1000) } as never },
          call(),
        ),
      ),
    ],
  },
  "a trace is read for a judge": {
    isChange: true,
    run: (_, call) => execution.getTraceInput({ traceId: early.trace }, call()),
  },
  "a late trace is read for a judge": {
    isLate: true,
    isChange: true,
    run: (_, call) => execution.getTraceInput({ traceId: late.trace }, call()),
  },
  "a task is made of a trace": {
    isChange: true,
    run: async (_, call) => (await traces.createTaskFromTrace({ traceId: early.other }, call())).task,
  },
  "a trace waits in a queue": {
    isChange: true,
    run: ({ queueId }, call) => queues.addHumanAnnotationQueueItems({ id: queueId, traceIds: [early.trace] }, call()),
  },
  "a late trace waits in a queue": {
    isLate: true,
    isChange: true,
    run: ({ queueId }, call) => queues.addHumanAnnotationQueueItems({ id: queueId, traceIds: [late.other] }, call()),
  },
  "a trace is judged": {
    isChange: true,
    run: (_, call) => annotations.createHumanAnnotation(judging(early.trace), call()),
  },
  "a late trace is judged": {
    isLate: true,
    isChange: true,
    run: (_, call) => annotations.createHumanAnnotation(judging(late.trace), call()),
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
        () => queues.addHumanAnnotationQueueItems({ id: queueId, traceIds: [late.trace, newId()] }, call()),
        () => annotations.createHumanAnnotation(judging(newId()), call()),
        () => execution.getTraceInput({ traceId: newId() }, call()),
        () => evaluations.rerunEvaluations({ ids: [newId()] }, call()),
      ];
      return Promise.all(failures.map((fail) => readAnswer(fail)));
    },
  },
};

/** Returns the response or the error as text without ids, so that applications can be compared. */
async function readAnswer(run: () => Promise<unknown>): Promise<unknown> {
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
      evaluation: application.judged.flatMap((judged) => judged.evaluationIds),
    }).flatMap(([name, all]) => all.map((id, index) => [id, `${name} ${index}`] as const)),
  );
  const text = JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? String(value) : value));
  const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
  return JSON.parse(text.replaceAll(uuid, (id) => names.get(id) ?? "an id"));
}

const refusal = expect.objectContaining({
  code: Code.FailedPrecondition,
  message: expect.stringMatching(
    /in the archive, which is read-only.*ems archive restore --application an id --month 2026-0/,
  ),
});

test.each(Object.entries(operations))(
  "%s, in every archive state, and only for its own application",
  {
    retry: 0,
    timeout: 120_000,
  },
  async (_, { run, isChange = false, isLate = false }) => {
    const answers: Record<string, { ours: unknown; foreign: unknown }> = {};
    for (const state of states.filter((candidate) => candidate !== "the archive is away")) {
      const application = applications[state];
      const other = { ...testTenant(), userId: user.id };
      const [foreign, ours] = [
        await readAnswer(() => run(application, () => testCall(other, 60_000), other)),
        await readAnswer(() => run(application, application.call, application.tenant)),
      ];
      answers[state] = { ours: named(ours, application), foreign: named(foreign, application) };
    }
    const [first = "", ...rest] = Object.keys(answers);
    expect(answers[first]).not.toMatchObject({ ours: { code: expect.any(Number) } });
    for (const state of rest) {
      const isArchived = state === "all archived" || !isLate;
      const expected = isChange && isArchived ? { ...answers[first], ours: refusal } : answers[first];
      expect({ [state]: answers[state] }).toEqual({ [state]: expected });
    }
  },
);

test.skipIf(!clickhouse.isOurs)(
  "while the archive is away, operations on PostgreSQL succeed, and the rest is refused or 503",
  { retry: 0, timeout: 120_000 },
  async () => {
    const application = applications["the archive is away"];
    await clickhouse.kill();
    for (const [name, { run, isLate = false, isChange = false }] of Object.entries(operations)) {
      if (name === "unknown ids are not found") continue;
      const error = await run(application, application.call, application.tenant).then(
        () => undefined,
        (reason: ConnectError) => reason,
      );
      if (isLate) expect(error, name).toBeUndefined();
      else if (isChange) expect(error, name).toMatchObject({ code: Code.FailedPrecondition });
      else {
        expect(error, name).toMatchObject({ code: Code.Unavailable });
        expect(error?.metadata.get("retry-after"), name).toMatch(/^\d+$/);
      }
    }
    await clickhouse.start();
    await runs.compareRuns({ a: application.runIds[0] ?? "", b: application.runIds[1] ?? "" }, application.call());
  },
);
