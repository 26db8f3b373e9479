// Creates a test in the day's MONITORING run for each complete trace of live traffic.

import { monotonicMs } from "@ems/kit/clock";
import type { Transaction } from "@ems/kit/db/transaction";
import { derivedId } from "@ems/kit/id";
import { createTenantContext } from "@ems/kit/rpc/call";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import type { CompletedTrace } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../../deps.ts";
import { closingTrace, insertPlannedTests, plannedDefinitions } from "../execution/index.ts";
import { addMonths } from "../tests/index.ts";
import { findPlan } from "./find-plan.ts";
import { monitoringRun } from "./monitoring-run.ts";

type LiveDeps = Pick<Deps, "database" | "clock" | "newId" | "plans" | "publishAll" | "traceWork">;

const timeoutMs = 20_000;

// If two processes handle the same trace concurrently, the second one finds the test created by the first.
const lockTest = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
const existing = "SELECT id FROM experiments.test WHERE application_id = $1 AND id = $2";

/** Creates the test of a trace, unless the trace has one or no definition applies. Idempotent. */
export function judgeLive(deps: LiveDeps) {
  return async (trace: CompletedTrace): Promise<void> => {
    const { applicationId, orgId, traceId } = trace;
    const tenant = { applicationId, orgId, userId: "", isBackground: true } as const;
    const plan = await findPlan(deps, tenant, trace);
    if (plan === undefined || plan.definitions.length === 0) return;
    const id = derivedId("live-test", traceId);
    const options = { contextValues: createTenantContext(tenant), timeoutMs };
    const { testId } = await deps.traceWork.nameTest({ traceId, testId: id }, options);
    if (testId !== id) return;
    await deps.database.withScope(tenant, monotonicMs() + timeoutMs, (tx) =>
      insertLiveTest(deps, tx, trace, { id, plan }),
    );
  };
}

async function insertLiveTest(
  deps: LiveDeps,
  tx: Transaction,
  trace: CompletedTrace,
  { id, plan }: { readonly id: string; readonly plan: TestPlan },
): Promise<void> {
  const now = deps.clock.now();
  const { applicationId, orgId } = trace;
  addMonths(tx, [now]);
  await tx.query(lockTest, [id]);
  if ((await tx.query(existing, [applicationId, id])).length > 0) return;
  const run = await monitoringRun(tx, { applicationId, orgId }, now, deps.newId);
  const test = {
    id,
    taskId: plan.taskId,
    topicId: plan.topicId ?? null,
    prompt: null,
    definitions: plannedDefinitions(plan),
    trace: closingTrace(trace),
  };
  await insertPlannedTests(deps, tx, { applicationId, orgId }, now, run, [test]);
}
