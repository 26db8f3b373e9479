// The only writer of changes to tests and evaluations: rows, sums, runs and events in one transaction.

import type { Upsert } from "@ems/kit/db/insert";
import type { Transaction } from "@ems/kit/db/transaction";
import type { PublishAll } from "@ems/kit/events/publish";
import { EvaluationEntity, type EvaluationRow } from "@ems/results";
import { lockExperimentsOfRuns } from "../../experiments/experiments/index.ts";
import { closePassed } from "../../review/issues/index.ts";
import { hasEnded, testErrorCause } from "../outcomes/index.ts";
import { applySums, summedTest } from "../rollups/index.ts";
import { TestEntity, type TestRow } from "../tests/index.ts";
import { endRuns } from "./end-runs.ts";
import type { Owner } from "./entity.ts";
import { testCompleted } from "./events.ts";
import type { LockedTests } from "./lock-tests.ts";

/** A changed test with its new and changed evaluations; replaced evaluations have `replacedBy`. */
export interface TestChange {
  readonly test: TestRow;
  /** All evaluations that are current after the change. */
  readonly evaluations: readonly EvaluationRow[];
  readonly changed: readonly EvaluationRow[];
}

const updateTest: Upsert<TestRow> = {
  key: ["applicationId", "createdAt", "id"],
  // biome-ignore format: several in a line
  update: [
    "status", "scoreMicro", "scoreExact", "passed", "durationMs", "definitionIds", "evaluationCount",
    "evaluationPassed", "errorCause", "message", "waitingFor", "prompt", "modifiedAt", "traceId", "traceSteps",
    "traceCost", "traceInputTokens", "traceOutputTokens", "traceLatencyMs",
    "traceCachedTokens", "traceCacheWriteTokens", "traceReasoningTokens", "traceUnpricedSteps",
  ] as const,
};
const updateEvaluation: Upsert<EvaluationRow> = {
  key: ["applicationId", "createdAt", "id"],
  // biome-ignore format: several in a line
  update: [
    "status", "scoreMicro", "scoreExact", "passed", "message", "results", "waitingFor", "modifiedAt", "definitionVersion",
    "judgeVersion", "modelConnectionId", "model", "inputTokens", "outputTokens", "costMicro",
    "uncertainCostMicro", "estimatedTokens", "durationMs", "attempts", "replacedBy",
  ] as const,
};

/** Writes changes to locked tests with `tx.defer`, except for runs that end and runs of experiments. */
export async function writeChanges(
  { publishAll }: { readonly publishAll: PublishAll },
  tx: Transaction,
  tenant: Owner,
  now: Date,
  locked: LockedTests,
  changed: readonly TestChange[],
): Promise<void> {
  if (changed.length === 0) return;
  const changes = changed.map((change): TestChange => ({ ...change, test: withCause(change) }));
  const changedRuns = new Set(changes.map(({ test }) => test.runId));
  await lockExperimentsOfRuns(
    tx,
    tenant.applicationId,
    [...locked.runs.values()].filter(({ id }) => changedRuns.has(id)),
  );
  const evaluations = changes.flatMap(({ test, changed }) => changed.map((after) => ({ after, test })));
  const stored = new Map([...locked.evaluations.values()].flat().map((row) => [row.id, row]));
  await tx.insert(
    TestEntity,
    changes.map(({ test }) => ({ ...test, modifiedAt: now })),
    updateTest,
  );
  await tx.insert(
    EvaluationEntity,
    evaluations.map(({ after }) => ({ ...after, modifiedAt: now })),
    updateEvaluation,
  );
  const ended = changes.filter(({ test }) => hasEnded(test) && !wasEnded(locked, test));
  if (ended.length > 0) {
    tx.defer("DELETE FROM experiments.test_execution WHERE application_id = $1 AND test_id = ANY ($2::uuid[])", [
      tenant.applicationId,
      ended.map(({ test }) => test.id),
    ]);
  }
  applySums(tx, {
    tests: changes.map(({ test, evaluations: after }) => {
      const before = locked.tests.get(test.id);
      return {
        ...(before !== undefined && { before: summedTest(before, locked.evaluations.get(test.id) ?? []) }),
        after: summedTest(test, after),
      };
    }),
    evaluations: evaluations.map(({ after, test: { runType } }) => {
      const before = stored.get(after.id);
      return {
        ...(before !== undefined && { before: { ...before, runType } }),
        ...(after.replacedBy === null && { after: { ...after, runType } }),
      };
    }),
  });
  closePassed(tx, tenant.applicationId, now, ended);
  await publishAll(
    tx,
    tenant,
    ended.map(({ test, evaluations: all }) => testCompleted(test, all)),
  );
  await endRuns({ publishAll }, tx, tenant, now, listRuns(locked, changes));
}

const withCause = ({ test, evaluations }: TestChange): TestRow => ({
  ...test,
  errorCause: testErrorCause(test, evaluations),
});

const wasEnded = ({ tests }: LockedTests, { id }: TestRow) => {
  const before = tests.get(id);
  return before !== undefined && hasEnded(before);
};

/** Returns the runs of tests that ended or were reopened. */
function listRuns(locked: LockedTests, changes: readonly TestChange[]) {
  const moved = changes.filter(({ test }) => hasEnded(test) !== wasEnded(locked, test));
  return [...new Set(moved.map(({ test }) => test.runId))].flatMap((id) => locked.runs.get(id) ?? []);
}
