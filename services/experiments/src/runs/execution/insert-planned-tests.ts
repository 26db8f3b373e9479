import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Transaction } from "@ems/kit/db/transaction";
import type { PublishAll } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import { EvaluationEntity } from "@ems/results";
import { hasEnded } from "../outcomes/index.ts";
import { applySums, summedTest } from "../rollups/index.ts";
import type { RunRow } from "../runs/index.ts";
import { noUsage, TestEntity, type TestRow } from "../tests/index.ts";
import { type ClosingTrace, closed } from "./close-tests.ts";
import { ExecutionEntity, type ExecutionRow, type Owner, type PlannedDefinition } from "./entity.ts";
import { testCompleted } from "./events.ts";
import { offer } from "./offer.ts";

export interface PlannedTest {
  readonly id: string;
  readonly taskId: string;
  readonly topicId: string | null;
  /** The prompt; null for live traffic, and until a simulated user's prompt is written. */
  readonly prompt: JsonValue;
  readonly definitions: readonly PlannedDefinition[];
  /** Set if the prompt has to wait in the run's queue (`requestPrompts`). */
  readonly queued?: { readonly metadata: JsonObject | null };
  /** Set for live traffic only, where the trace to judge has already arrived. */
  readonly trace?: Omit<ClosingTrace, "testId">;
}

/** Time within which notifications must report the outcome of a prompt. */
const deliveryMs = 24 * 3_600_000;

// Sets due times by the database's clock.
const dueFrom = `UPDATE experiments.test_execution SET due_at = CASE state WHEN 'prompt' THEN now() ELSE now() + $3 * interval '1 ms' END
  WHERE application_id = $1 AND run_id = $2 AND state IN ('prompt', 'delivery')`;

/**
 * Creates the tests of an existing run and updates sums, with `tx.defer`. The transaction must not change other tests,
 * and must have created the partition of `now`.
 */
export async function insertPlannedTests(
  { publishAll, newId }: { readonly publishAll: PublishAll; readonly newId: NewId },
  tx: Transaction,
  { applicationId, orgId }: Owner,
  now: Date,
  run: Pick<RunRow, "id" | "type">,
  planned: readonly PlannedTest[],
): Promise<void> {
  if (planned.length === 0) return;
  const pending = planned.map((plannedTest): TestRow => newTest(plannedTest, { applicationId, orgId }, now, run));
  const changes = planned.map(({ trace, definitions }, index) => {
    const test = pending[index] as TestRow;
    return trace === undefined ? { test, evaluations: [], changed: [] } : closed(test, trace, definitions, newId);
  });
  const tests = changes.map(({ test }) => test);
  const evaluations = changes.flatMap(({ changed }) => changed);
  await tx.insert(TestEntity, tests);
  await tx.insert(EvaluationEntity, evaluations);
  const executions = planned.filter(({ trace }) => trace === undefined);
  if (executions.length > 0) {
    await tx.insert(
      ExecutionEntity,
      executions.map(
        ({ id: testId, prompt, definitions, queued }): Omit<ExecutionRow, "attempt"> => ({
          applicationId,
          orgId,
          testId,
          definitions,
          runId: run.id,
          createdAt: now,
          dueAt: now,
          evaluations: [],
          state: queued ? "queued" : prompt === null ? "prompt" : "delivery",
          metadata: queued?.metadata ?? null,
        }),
      ),
    );
    tx.defer({ name: "due-from-now", text: dueFrom, values: [applicationId, run.id, deliveryMs] });
  }
  offer(
    tx,
    { applicationId, orgId },
    changes.filter(({ changed }) => changed.length > 0),
  );
  applySums(tx, {
    tests: tests.map((test) => ({ after: summedTest(test, []) })),
    evaluations: evaluations.map((evaluation) => ({ after: { ...evaluation, runType: run.type } })),
  });
  const ended = changes.filter(({ test }) => hasEnded(test));
  await publishAll(
    tx,
    { applicationId, orgId },
    ended.map(({ test }) => testCompleted(test, [])),
  );
}

function newTest(planned: PlannedTest, owner: Owner, now: Date, run: Pick<RunRow, "id" | "type">): TestRow {
  const { id, taskId, topicId, prompt, trace, queued } = planned;
  const waitsFor = queued ? "queue" : prompt === null ? "prompt" : "delivery";
  return {
    id,
    taskId,
    topicId,
    prompt,
    applicationId: owner.applicationId,
    orgId: owner.orgId,
    createdAt: now,
    runId: run.id,
    runType: run.type,
    status: "PENDING",
    scoreMicro: null,
    scoreExact: null,
    durationMs: null,
    passed: null,
    definitionIds: [],
    evaluationCount: 0,
    evaluationPassed: 0,
    errorCause: null,
    message: null,
    waitingFor: trace === undefined ? waitsFor : null,
    modifiedAt: null,
    traceId: null,
    traceSteps: null,
    ...noUsage,
  };
}
