// Deletes annotations of the steps of erased traces, before the steps are deleted.

import { monotonicMs } from "@ems/kit/clock";
import { eraseCopies } from "@ems/kit/db/erase-copies";
import { createTenantContext } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { queueSubjects } from "./erase-results.ts";
import type { ClaimedErasure } from "./queue.ts";

const timeoutMs = 30_000;

const annotated = `SELECT id FROM experiments.annotation
  WHERE application_id = $1 AND trace_step_id IS NOT NULL LIMIT 1`;
const remove = `DELETE FROM experiments.annotation
  WHERE application_id = $1 AND trace_step_id = ANY ($2::uuid[]) RETURNING id`;

type AnnotationDeps = Pick<Deps, "database" | "newId" | "traceWork">;

export async function eraseStepAnnotations(
  deps: AnnotationDeps,
  erasure: ClaimedErasure,
  traceIds: readonly string[],
): Promise<void> {
  const { database, traceWork } = deps;
  const { applicationId, orgId, id: erasureId } = erasure;
  const any = { text: annotated, values: [applicationId] };
  if ((await database.readScoped(erasure, monotonicMs() + timeoutMs, any)).length === 0) return;
  const tenant = { applicationId, orgId, userId: "", isBackground: true } as const;
  const options = { contextValues: createTenantContext(tenant), timeoutMs };
  const { stepIds } = await traceWork.listErasedSteps({ traceIds: [...traceIds] }, options);
  if (stepIds.length === 0) return;
  await database.withScope(erasure, monotonicMs() + timeoutMs, async (tx) => {
    const deleted = await tx.query<{ id: string }>(remove, [applicationId, stepIds]);
    const ids = deleted.map(({ id }) => id);
    if (ids.length === 0) return;
    eraseCopies(tx, "experiments", ids);
    await queueSubjects(deps, tx, { applicationId, orgId, erasureId }, ids);
  });
}
