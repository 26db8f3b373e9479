import type { Message, MessageInitShape } from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ErrorCause, ResultStatus, RunType, TestOutcome } from "@ems/proto/experiments/v1/run";
import {
  type ListTestsRequestSchema,
  PassRateStatus,
  type Test,
  TestOrder,
  TestService,
} from "@ems/proto/experiments/v1/test_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const tests = harness.client(TestService);
const tenant = testTenant();
const call = () => testCall(tenant);

type Filter = Exclude<MessageInitShape<typeof ListTestsRequestSchema>, Message>;

const { PENDING, IN_PROGRESS, COMPLETED, FAILED } = ResultStatus;
const outcomes: readonly TestOutcome[] = [
  TestOutcome.PASSED,
  TestOutcome.FAILED,
  TestOutcome.ERRORED,
  TestOutcome.NONE,
];
const taskIds = [newId(), newId(), newId()];
const topicIds = [newId(), newId()];
const definitionIds = [newId(), newId(), newId()];
const runIds: string[] = [];
const day = 86_400_000;
const now = harness.clock.now().getTime();

/** Evaluations with every outcome, and an open one. */
const evaluations = [
  { passed: true, score: 1 },
  { passed: false, score: 0 },
  { status: EvaluationStatus.FAILED, message: "invalid_answer: no JSON" },
  { status: EvaluationStatus.FAILED, message: "no_model_connection: none" },
  { status: EvaluationStatus.SKIPPED, message: "no_expected: none" },
  { status: EvaluationStatus.PENDING },
];

beforeAll(async () => {
  const [first = "", second = ""] = taskIds;
  harness.topicByTask.set(first, topicIds[0] ?? "").set(second, topicIds[1] ?? "");
  const pick = <T>(values: readonly T[], seed: number): T[] => values.slice(seed % values.length).slice(0, 1);
  for (const [at, type] of [RunType.MANUAL, RunType.SCHEDULED].entries()) {
    const { run } = await tests.recordResults(
      {
        run: { type },
        tests: Array.from({ length: 60 }, (_, index) => {
          const [taskId = ""] = pick(taskIds, index);
          const [status = COMPLETED] = pick(
            [COMPLETED, COMPLETED, FAILED, PENDING, IN_PROGRESS],
            (index * 7 + at) >> 1,
          );
          const seconds = BigInt(Math.floor((now - (index % 4) * day) / 1000));
          return {
            taskId,
            status,
            ...(index % 9 === 0 && { passed: index % 2 === 0 }),
            durationMs: (index * 37) % 50,
            createdAt: { seconds, nanos: 0 },
            evaluations: definitionIds
              .slice(0, index % 4)
              .flatMap((definitionId, n) =>
                pick(evaluations, index + n * 5).map((each) => ({ definitionId, ...each })),
              ),
          };
        }),
      },
      call(),
    );
    runIds.push(run?.id ?? "");
  }
});

/** Filters to combine; each selects a part of the tests. */
const parts: readonly (Filter | undefined)[][] = [
  [undefined, { taskId: taskIds.slice(0, 2) }],
  [undefined, { topicId: topicIds.slice(0, 1) }],
  [undefined, { evalDefinitionId: definitionIds.slice(1, 2) }],
  [undefined, { evalOutcome: [TestOutcome.FAILED] }],
  [undefined, { runType: [RunType.MANUAL] }, { status: [COMPLETED, PENDING] }],
  [undefined, { startDate: { seconds: BigInt(Math.floor(now / 1000) - 130_000), nanos: 0 } }],
];
const combinations: readonly Filter[] = [
  ...parts.reduce<Filter[]>(
    (filters, part) => filters.flatMap((filter) => part.map((other) => ({ ...filter, ...other }))),
    [{}],
  ),
  { passRateStatuses: [PassRateStatus.ERROR], topicId: topicIds },
  { errorCause: [ErrorCause.CONFIGURATION], taskId: taskIds },
];

const count = async (filter: Filter) =>
  (await tests.listTests({ ...filter, limit: 1 }, call())).pagination?.total ?? 0n;

test("outcomes partition every list: passed, failed, errored, none and not ended are all", async () => {
  expect(combinations).toHaveLength(98);
  let largest = 0n;
  for (const filter of combinations) {
    const open = [PENDING, IN_PROGRESS].filter((status) => filter.status?.includes(status) ?? true);
    const counts = await Promise.all([
      ...outcomes.map((outcome) => count({ ...filter, outcome: [outcome] })),
      open.length === 0 ? 0n : count({ ...filter, status: open }),
    ]);
    const all = await count(filter);
    expect([filter, counts.reduce((sum, part) => sum + part, 0n)]).toEqual([filter, all]);
    largest = all > largest ? all : largest;
  }
  expect(largest).toBe(120n);
});

const listAll = async (filter: Filter): Promise<Test[]> => {
  const found: Test[] = [];
  for (let after: string | undefined; ; ) {
    const { data, pagination } = await tests.listTests({ ...filter, limit: 7, ...(after && { after }) }, call());
    found.push(...data);
    after = pagination?.nextCursor;
    if (after === undefined) return found;
  }
};

/** Returns the outcome of an evaluation, by the documented rule. */
const outcomeOfEvaluation = ({ status, passed }: Test["evals"][number]): TestOutcome | undefined => {
  if (status === EvaluationStatus.FAILED) return TestOutcome.ERRORED;
  if (status === EvaluationStatus.SKIPPED) return TestOutcome.NONE;
  if (status !== EvaluationStatus.COMPLETED) return undefined;
  return passed === undefined ? TestOutcome.NONE : passed ? TestOutcome.PASSED : TestOutcome.FAILED;
};

test.each([[[]], [definitionIds.slice(0, 1)], [definitionIds.slice(1)]])(
  "evaluation outcomes and definitions %j apply to the same evaluation",
  async (evalDefinitionId: string[]) => {
    const all = await listAll({});
    expect(all).toHaveLength(120);
    for (const evalOutcome of [...outcomes.map((outcome) => [outcome]), outcomes.slice(1, 3)]) {
      const matches = all.filter(({ evals }) =>
        evals.some((each) => {
          const outcome = outcomeOfEvaluation(each);
          const isChosen = evalDefinitionId.length === 0 || evalDefinitionId.includes(each.definitionId);
          return isChosen && outcome !== undefined && evalOutcome.includes(outcome);
        }),
      );
      expect(matches.length).toBeGreaterThan(0);
      const filter = { evalOutcome, evalDefinitionId };
      const expected = matches.map(({ id }) => id).sort();
      expect((await listAll(filter)).map(({ id }) => id).sort()).toEqual(expected);
      const { payload } = await tests.downloadTests(filter, call());
      const lines = Buffer.from(payload).toString().trim().split("\n");
      expect(expected).toEqual(expect.arrayContaining(lines.map((line) => JSON.parse(line).id)));
    }
  },
);

test("the order by outcome starts with what failed, and its pages neither repeat nor skip a test", async () => {
  const ranks: (TestOutcome | undefined)[] = [
    TestOutcome.FAILED,
    TestOutcome.ERRORED,
    TestOutcome.NONE,
    TestOutcome.PASSED,
    undefined,
  ];
  const listed = await listAll({ orderBy: TestOrder.OUTCOME });
  const places = listed.map(({ outcome }) => ranks.indexOf(outcome));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(listed.map(({ id }) => id)).size).toBe(120);
  expect(new Set(places).size).toBe(5);
  const ascending = await listAll({ orderBy: TestOrder.OUTCOME, orderDir: OrderDirection.ASC });
  expect(ascending).toEqual(listed.toReversed());
});

test("tests are ordered by duration and by cost, those without a value last", async () => {
  await harness.database.sql(
    `UPDATE experiments.test SET trace_cost = duration_ms / 7.0, trace_unpriced_steps = 0, trace_input_tokens = 1
     WHERE application_id = $1 AND duration_ms > 20`,
    [tenant.applicationId],
  );
  await harness.database.sql(
    "UPDATE experiments.test SET duration_ms = NULL WHERE application_id = $1 AND duration_ms = 13",
    [tenant.applicationId],
  );
  const durations = (await listAll({ orderBy: TestOrder.DURATION_MS })).map(({ durationMs }) => durationMs ?? -1);
  expect(durations).toEqual(durations.toSorted((a, b) => b - a));
  expect(durations.at(-1)).toBe(-1);
  const costs = (await listAll({ orderBy: TestOrder.COST })).map(({ usage }) => usage?.cost ?? -1);
  expect(costs).toHaveLength(120);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
});
