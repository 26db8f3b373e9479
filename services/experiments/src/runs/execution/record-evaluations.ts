import type { Database } from "@ems/kit/db/database";
import { enumName } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { makeStorable, makeWrittenJsonStorable } from "@ems/kit/readers";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvaluationStatusSchema } from "@ems/proto/experiments/v1/evaluation";
import type { EvaluationOutcome, ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { type EvaluationRow, scoreColumns } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { markResults } from "../../review/calibration/index.ts";
import { computeVerdict, derivedFromEvaluations, hasEnded } from "../outcomes/index.ts";
import { type LockedTests, lockTests } from "./lock-tests.ts";
import { type TestChange, writeChanges } from "./write-changes.ts";

type Handler = Handlers<typeof ExecutionService>["recordEvaluations"];

const testsOfEvaluations = `SELECT DISTINCT e.test_id AS id FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.id = ANY ($2::uuid[])`;

/** Stores each judge's outcome once; ended and replaced evaluations do not change. */
export function recordEvaluations(deps: Pick<Deps, "database" | "clock" | "publishAll">): Handler {
  return async ({ outcomes }, call) => {
    const { applicationId } = call.tenant;
    const byId = new Map(outcomes.map((outcome) => [outcome.id.toLowerCase(), outcome]));
    const testIds = await readTestIds(deps.database, call, [...byId.keys()]);
    if (testIds.length === 0) return {};
    return deps.database.change(call, async (tx) => {
      const locked = await lockTests(tx, applicationId, testIds);
      const changes = [...locked.tests.keys()].flatMap((id) => buildChange(locked, id, byId));
      await writeChanges(deps, tx, call.tenant, deps.clock.now(), locked, changes);
      markResults(
        tx,
        call.tenant,
        changes.flatMap(({ changed }) => changed.filter(({ passed }) => passed !== null)),
      );
      return {};
    });
  };
}

/** Reads the tests' ids without locks, because the test of an evaluation never changes. */
async function readTestIds(
  database: Database,
  call: Parameters<Handler>[1],
  ids: readonly string[],
): Promise<string[]> {
  const values = [call.tenant.applicationId, distinctIds(ids)];
  const rows = await database.read<{ id: string }>(call, {
    name: "tests-of-evaluations",
    text: testsOfEvaluations,
    values,
  });
  return rows.map(({ id }) => id);
}

function buildChange(locked: LockedTests, id: string, outcomes: ReadonlyMap<string, EvaluationOutcome>): TestChange[] {
  const test = locked.tests.get(id);
  const before = locked.evaluations.get(id) ?? [];
  const changed = before.flatMap((row) => {
    const outcome = outcomes.get(row.id);
    return outcome === undefined || hasEnded(row) ? [] : [afterOutcome(row, outcome)];
  });
  if (test === undefined || changed.length === 0) return [];
  const after = new Map(changed.map((row) => [row.id, row]));
  const evaluations = before.map((row) => after.get(row.id) ?? row);
  const open = evaluations.filter((row) => !hasEnded(row));
  const isOver = open.length === 0 && !hasEnded(test);
  return [
    {
      test: {
        ...test,
        ...derivedFromEvaluations(evaluations),
        waitingFor:
          open.length > 0 && open.every(({ waitingFor }) => waitingFor !== null) ? (open[0]?.waitingFor ?? null) : null,
        ...(isOver && { ...computeVerdict(evaluations), status: "COMPLETED" as const, message: null }),
      },
      evaluations,
      changed,
    },
  ];
}

function afterOutcome(row: EvaluationRow, outcome: EvaluationOutcome): EvaluationRow {
  const status = enumName<EvaluationRow["status"]>(EvaluationStatusSchema, outcome.status);
  const isOver = hasEnded({ status });
  const text = (value: bigint | undefined, before: string | null) => value?.toString() ?? before;
  return {
    ...row,
    status,
    waitingFor: isOver ? null : (outcome.waitingFor ?? null),
    ...scoreColumns(isOver ? outcome.score : undefined),
    passed: isOver ? (outcome.passed ?? null) : null,
    message: outcome.message === undefined ? null : makeStorable(outcome.message),
    results:
      outcome.results === undefined ? null : makeWrittenJsonStorable(outcome.results, JSON.stringify(outcome.results)),
    definitionVersion: outcome.definitionVersion ?? row.definitionVersion,
    judgeVersion: outcome.judgeVersion ?? row.judgeVersion,
    modelConnectionId: outcome.modelConnectionId?.toLowerCase() ?? row.modelConnectionId,
    model: outcome.model ?? row.model,
    inputTokens: text(outcome.inputTokens, row.inputTokens),
    outputTokens: text(outcome.outputTokens, row.outputTokens),
    costMicro: text(outcome.costMicro, row.costMicro),
    uncertainCostMicro: text(outcome.uncertainCostMicro, row.uncertainCostMicro),
    estimatedTokens: text(outcome.estimatedTokens, row.estimatedTokens),
    durationMs: outcome.durationMs ?? row.durationMs,
    attempts: outcome.attempts ?? row.attempts,
  };
}
