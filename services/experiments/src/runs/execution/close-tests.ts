import type { Transaction } from "@ems/kit/db/transaction";
import type { PublishAll } from "@ems/kit/events/publish";
import type { NewId } from "@ems/kit/id";
import type { EvaluationRow } from "../evaluations/index.ts";
import type { TestRow } from "../tests/index.ts";
import type { Owner, PlannedDefinition } from "./entity.ts";
import { lockTests } from "./lock-tests.ts";
import { offer } from "./offer.ts";
import { derivedFromEvaluations, hasEnded } from "./outcome.ts";
import { pendingEvaluation } from "./pending-evaluation.ts";
import { requestPrompts } from "./request-prompts.ts";
import { type TestChange, writeChanges } from "./write-changes.ts";

/** A settled trace that names a test. */
export interface ClosingTrace {
  readonly testId: string;
  readonly traceId: string;
  /** How many steps it has: those that come later are not judged. */
  readonly steps: number;
  readonly durationMs?: number | null;
}

interface ClosingDeps {
  readonly publishAll: PublishAll;
  readonly newId: NewId;
}

/**
 * Begins to judge tests by their settled traces. The first trace of a test counts; unknown, recorded and ended tests are
 * unchanged. Traces are locked before.
 */
export function closeTests(deps: ClosingDeps) {
  return async (tx: Transaction, tenant: Owner, now: Date, traces: readonly ClosingTrace[]): Promise<void> => {
    const first = new Map(traces.toReversed().map((trace) => [trace.testId, trace]));
    const locked = await lockTests(tx, tenant.applicationId, [...first.keys()]);
    const changes = [...first.values()].flatMap((trace): TestChange[] => {
      const [test, execution] = [locked.tests.get(trace.testId), locked.executions.get(trace.testId)];
      if (test === undefined || execution === undefined || hasEnded(test) || test.traceId !== null) return [];
      return [closed(test, trace, execution.definitions, deps.newId)];
    });
    await writeChanges(deps, tx, tenant, now, locked, changes);
    offer(tx, tenant, changes);
    await requestPrompts(deps, tx, tenant, now, locked.runs.values());
  };
}

/** The test with the evaluations that are to be made; without any it has ended. */
export function closed(
  test: TestRow,
  { traceId, steps, durationMs }: Omit<ClosingTrace, "testId">,
  definitions: readonly PlannedDefinition[],
  newId: NewId,
): TestChange {
  const evaluations: EvaluationRow[] = definitions.map((definition) => pendingEvaluation(test, definition, newId()));
  const status = definitions.length === 0 ? "COMPLETED" : "IN_PROGRESS";
  return {
    test: {
      ...test,
      ...derivedFromEvaluations(evaluations),
      status,
      traceId,
      traceSteps: steps,
      durationMs: durationMs ?? test.durationMs,
      waitingFor: null,
    },
    evaluations,
    changed: evaluations,
  };
}
