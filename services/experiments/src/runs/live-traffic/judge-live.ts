// A settled trace of live traffic becomes a test of the day's MONITORING run.

import type { Transaction } from "@ems/kit/db/transaction";
import type { TestPlan } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../../deps.ts";
import { type DueTrace, deadline, endSettling } from "../../traces/settling/index.ts";
import { metadataOfTrace, nameTestOfTrace } from "../../traces/test-traces/index.ts";
import { insertPlannedTests, plannedDefinitions } from "../execution/index.ts";
import { addMonths } from "../tests/index.ts";
import { findPlan } from "./find-plan.ts";
import { monitoringRun } from "./monitoring-run.ts";

type LiveDeps = Pick<Deps, "database" | "clock" | "newId" | "plans" | "publishAll">;

/** Makes the test of a trace, unless it has one by now, or no definition applies. */
export function judgeLive(deps: LiveDeps) {
  const { database } = deps;
  return async (due: DueTrace): Promise<void> => {
    const metadata = (await metadataOfTrace(database, due, deadline())) ?? {};
    const plan = await findPlan(deps, { ...due, userId: "", isBackground: true }, metadata);
    await database.withScope(due, deadline(), (tx) => insertLiveTest(deps, tx, due, plan));
  };
}

async function insertLiveTest(
  deps: LiveDeps,
  tx: Transaction,
  due: DueTrace,
  plan: TestPlan | undefined,
): Promise<void> {
  const now = deps.clock.now();
  addMonths(tx, [now]);
  const [settled] = await endSettling(tx, due.applicationId, [due]);
  if (settled === undefined || settled.testId !== null || plan === undefined || plan.definitions.length === 0) return;
  const run = await monitoringRun(tx, due, now, deps.newId);
  const id = deps.newId();
  nameTestOfTrace(tx, due, id, now);
  await insertPlannedTests(deps, tx, due, now, run, [
    {
      id,
      taskId: plan.taskId,
      topicId: plan.topicId ?? null,
      prompt: null,
      definitions: plannedDefinitions(plan),
      trace: { traceId: due.traceId, steps: settled.steps, usage: settled.usage },
    },
  ]);
}
