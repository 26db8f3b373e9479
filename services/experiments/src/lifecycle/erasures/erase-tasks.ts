// Erases tasks made from erased traces: catalog erases the tasks' texts, experiments the prompts of their tests. A
// deletion of traces keeps the tasks, and erases only copies of their texts.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { monotonicMs } from "@ems/kit/clock";
import { eraseCopies } from "@ems/kit/db/erase-copies";
import type { Transaction } from "@ems/kit/db/transaction";
import { createTenantContext } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { traceIdsOfTests } from "../../traces/index.ts";
import { addErased } from "./add-erased.ts";
import { eraseResults, queueSubjects } from "./erase-results.ts";
import type { ClaimedErasureWork } from "./queue.ts";

const timeoutMs = 30_000;

const end = "DELETE FROM experiments.erasure_work WHERE application_id = $1 AND id = $2 RETURNING id";
const kind = `SELECT end_user_key IS NULL AS "isDeletion" FROM experiments.erasure WHERE application_id = $1 AND id = $2`;
const testsOfTasks = "SELECT id FROM experiments.test WHERE application_id = $1 AND task_id = ANY ($2::uuid[])";
const addTraces = `INSERT INTO experiments.erasure_trace (application_id, erasure_id, trace_id)
  SELECT $1, $2, named.id FROM unnest($3::uuid[]) AS named (id)
  ON CONFLICT DO NOTHING`;
const keptPlans = `SELECT task_set_id AS "taskSetId", position, plan FROM experiments.task_set_task
  WHERE application_id = $1 AND task_id = ANY ($2::uuid[])`;
const keepPlan = `UPDATE experiments.task_set_task SET plan = $4 WHERE application_id = $1 AND task_set_id = $2 AND position = $3`;

type TaskDeps = Pick<Deps, "database" | "archiveErasing" | "clock" | "newId" | "publishAll" | "plans" | "traceWork">;

/** Runs catalog's part of an erasure. Idempotent: catalog returns the same tasks to a retry. */
export async function eraseTasks(deps: TaskDeps, work: ClaimedErasureWork): Promise<void> {
  const { applicationId, orgId, erasureId, traceIds } = work;
  const tenant = { applicationId, orgId, userId: "", isBackground: true } as const;
  const options = { contextValues: createTenantContext(tenant), timeoutMs };
  const values = [applicationId, erasureId];
  const [erasure] = await deps.database.readScoped<{ isDeletion: boolean }>(tenant, monotonicMs() + timeoutMs, {
    text: kind,
    values,
  });
  const copiesOnly = erasure?.isDeletion ?? false;
  const { taskIds } = await deps.plans.eraseTracedTasks({ traceIds: [...traceIds], copiesOnly }, options);
  if (copiesOnly) return eraseTaskCopies(deps, work, taskIds);
  const state = await deps.archiveErasing.restore(tenant, async () => [["results", "test", "task_id", taskIds]]);
  const statement = { text: testsOfTasks, values: [applicationId, taskIds] };
  const found = await deps.database.readScoped<{ id: string }>(tenant, monotonicMs() + timeoutMs, statement);
  await deps.traceWork.prepareErasure({ testIds: found.map(({ id }) => id) }, options);
  await deps.database.withScope(tenant, monotonicMs() + timeoutMs, async (tx) => {
    if ((await tx.query(end, [applicationId, work.id])).length === 0 || taskIds.length === 0) return;
    const testIds = (await tx.query<{ id: string }>(testsOfTasks, [applicationId, taskIds])).map(({ id }) => id);
    const erasure = { applicationId, orgId, id: erasureId };
    const all = { copies: [], keepsDerived: false };
    const counts = await eraseResults(deps, tx, erasure, { traceIds: [], testIds, taskIds, ...all });
    tx.defer(addTraces, [applicationId, erasureId, await traceIdsOfTests(tx, applicationId, testIds)]);
    await erasePlans(tx, applicationId, taskIds);
    await addErased(tx, applicationId, erasureId, deps.clock.now(), { ...counts, tasks: taskIds.length });
    await deps.archiveErasing.assertState(tx, applicationId, state);
  });
}

/** Has notifications erase the events of tasks that are kept. */
async function eraseTaskCopies(deps: TaskDeps, work: ClaimedErasureWork, taskIds: readonly string[]): Promise<void> {
  const { applicationId, orgId, erasureId } = work;
  await deps.database.withScope({ applicationId, orgId }, monotonicMs() + timeoutMs, async (tx) => {
    if ((await tx.query(end, [applicationId, work.id])).length === 0 || taskIds.length === 0) return;
    eraseCopies(tx, "experiments", taskIds);
    await queueSubjects(deps, tx, { applicationId, orgId, erasureId }, taskIds);
  });
}

interface KeptPlan {
  readonly taskSetId: string;
  readonly position: number;
  readonly plan: JsonObject;
}

/** Erases the texts of tasks in frozen plans. */
async function erasePlans(tx: Transaction, applicationId: string, taskIds: readonly string[]): Promise<void> {
  const rows = await tx.query<KeptPlan>(keptPlans, [applicationId, taskIds]);
  for (const { taskSetId, position, plan } of rows) {
    const { metadata: _, simulatedPromptSchema: __, examples: ___, definitions, ...rest } = plan;
    const erased = {
      ...rest,
      title: "Erased",
      description: "Erased",
      inputExamples: ["Erased"],
      definitions: unexpecting(definitions),
    };
    tx.defer(keepPlan, [applicationId, taskSetId, position, JSON.stringify(erased)]);
  }
}

function unexpecting(definitions: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(definitions)) return [];
  return definitions.map((definition) => {
    if (typeof definition !== "object" || definition === null || Array.isArray(definition)) return definition;
    const { expected: _, ...rest } = definition;
    return rest;
  });
}
