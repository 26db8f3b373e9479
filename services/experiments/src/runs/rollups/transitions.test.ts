// Rollups equal counts of the rows after concurrent changes of results.

import { serviceDataSource } from "@ems/kit/db/data-source";
import { Database } from "@ems/kit/db/database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { EvaluationEntity, type EvaluationRow } from "@ems/results";
import { testTenant } from "@ems/test-support";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";
import { experimentsSchema } from "../../schema.ts";
import { pendingEvaluation } from "../execution/pending-evaluation.ts";
import { testErrorCause } from "../outcomes/index.ts";
import { addMonths } from "../tests/add-months.ts";
import { noUsage, TestEntity, type TestRow } from "../tests/entity.ts";
import { applySums } from "./apply-sums.ts";
import { summedTest } from "./summed-test.ts";

const harness = await experimentsHarness();
const log = createLog("experiments", "silent");
const source = serviceDataSource({
  url: harness.database.getUrl(experimentsSchema),
  poolMax: 4,
  schema: experimentsSchema,
  log,
});
await source.initialize();
afterAll(() => source.destroy());
const database = new Database(source);

const { applicationId, orgId } = testTenant();
const [topics, tasks, runs] = [
  [null, newId()],
  [newId(), newId()],
  [newId(), newId(), newId()],
];
const definitions = [
  { id: newId(), type: "STYLE" as const, expected: null },
  { id: newId(), type: "FACT" as const, expected: null },
];
const now = harness.clock.now();
const seed = 20_261_123;

const score = fc.option(fc.constantFrom("0", "100000", "333333", "1000000", "5000000", "-1000000000000000"));
const outcome = fc.record({ score, passed: fc.option(fc.boolean()) });
const status = fc.constantFrom<TestRow["status"]>("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED");
const step = fc.record({
  /** Index of the test that the writer changes, its new state, and whether its evaluations are replaced. */
  at: fc.nat(19),
  test: fc.tuple(status, outcome, fc.option(fc.constantFrom(0, 7, 2_147_483_647))),
  evaluations: fc.array(
    fc.tuple(
      fc.constantFrom<EvaluationRow["status"]>("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "SKIPPED"),
      outcome,
      fc.boolean(),
    ),
    { minLength: 2, maxLength: 2 },
  ),
});

interface State {
  test: TestRow;
  evaluations: EvaluationRow[];
}

const newState = (at: number): State => {
  const test: TestRow = {
    applicationId,
    orgId,
    id: newId(),
    createdAt: new Date(now.getTime() - (at % 3) * 86_400_000),
    taskId: tasks[at % 2] ?? "",
    topicId: topics[at % 2] ?? null,
    runId: runs[at % 3] ?? "",
    runType: at % 3 === 0 ? ("MONITORING" as const) : ("MANUAL" as const),
    status: "PENDING" as const,
    scoreMicro: null,
    scoreExact: null,
    passed: null,
    durationMs: null,
    definitionIds: [],
    evaluationCount: 0,
    evaluationPassed: 0,
    errorCause: null,
    message: null,
    waitingFor: null,
    prompt: null,
    modifiedAt: null,
    traceId: null,
    traceSteps: null,
    ...noUsage,
  };
  return { test, evaluations: definitions.map((definition) => pendingEvaluation(test, definition, newId())) };
};

const writer = async (steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) => {
  const states = Array.from({ length: 20 }, (_, at) => newState(at));
  await write(
    states,
    states.map(() => undefined),
  );
  for (let at = 0; at < steps.length; at += 5) {
    const changed = [...new Map(steps.slice(at, at + 5).map((change) => [change.at, change])).values()];
    const before = changed.map((change) => states[change.at]);
    const after = changed.map((change) => changedBy(states[change.at] as State, change));
    await write(after, before);
    for (const [index, change] of changed.entries()) states[change.at] = current(after[index] as State);
  }
};

/** Keeps only evaluations that were not replaced. */
const current = ({ test, evaluations }: State): State => ({
  test,
  evaluations: evaluations.filter(({ replacedBy }) => replacedBy === null),
});

function changedBy({ test, evaluations }: State, change: typeof step extends fc.Arbitrary<infer S> ? S : never): State {
  const [testStatus, result, durationMs] = change.test;
  const changed = { ...test, status: testStatus, scoreMicro: result.score, passed: result.passed, durationMs };
  const after = evaluations.flatMap((row, index) => {
    const [evaluationStatus, found, isReplaced] = change.evaluations[index] ?? ["PENDING", result, false];
    if (!isReplaced) return [{ ...row, status: evaluationStatus, scoreMicro: found.score, passed: found.passed }];
    const replacement = pendingEvaluation(
      test,
      { id: row.definitionId, type: row.definitionType, expected: null },
      newId(),
    );
    return [{ ...row, replacedBy: replacement.id }, replacement];
  });
  const errorCause = testErrorCause(
    changed,
    after.filter(({ replacedBy }) => replacedBy === null),
  );
  return { test: { ...changed, errorCause }, evaluations: after };
}

const key = ["applicationId", "createdAt", "id"] as const;

async function write(after: readonly State[], before: readonly (State | undefined)[]): Promise<void> {
  await database.withScope({ applicationId, orgId }, Date.now() + 20_000, async (tx) => {
    const stored = new Map(before.flatMap((state) => state?.evaluations ?? []).map((row) => [row.id, row]));
    const tests = after.map(({ test }) => test);
    addMonths(
      tx,
      tests.map(({ createdAt }) => createdAt),
    );
    await tx.insert(TestEntity, tests, { key, update: ["status", "scoreMicro", "passed", "errorCause", "durationMs"] });
    const evaluations = after.flatMap((state) => state.evaluations);
    await tx.insert(EvaluationEntity, evaluations, { key, update: ["status", "scoreMicro", "passed", "replacedBy"] });
    applySums(tx, {
      tests: after.map((state, index) => {
        const was = before[index];
        return {
          before: was && summedTest(was.test, was.evaluations),
          after: summedTest(state.test, current(state).evaluations),
        };
      }),
      evaluations: after.flatMap((state) =>
        state.evaluations.map((row) => {
          const [was, { runType }] = [stored.get(row.id), state.test];
          return {
            before: was && { ...was, runType },
            after: row.replacedBy === null ? { ...row, runType } : undefined,
          };
        }),
      ),
    });
  });
}

test("sums stay exact when four writers change and replace results at once", async () => {
  const [first = ""] = runs;
  await harness.database.sql(
    `INSERT INTO experiments.run (application_id, id, org_id, type, status, created_at, modified_at)
     VALUES ($1, $2, $3, 'MONITORING', 'IN_PROGRESS', $4, $4)`,
    [applicationId, first, orgId, now],
  );
  const all = fc.sample(fc.array(step, { minLength: 60, maxLength: 60 }), { numRuns: 4, seed });
  for (const part of [0, 1, 2]) {
    await Promise.all(all.map((steps) => writer(steps.slice(part * 20, part * 20 + 20))));
    expect(Math.min(...(await expectExactSums(harness.database, applicationId)))).toBeGreaterThan(0);
  }
});
