import { eraseCopies } from "@ems/kit/db/erase-copies";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import type { Deps } from "../deps.ts";

/** Selects tasks made from the traces, and drafts of these. DEDUCED tasks are excluded: they represent live traffic. */
const traced = `SELECT id FROM catalog.task WHERE application_id = $1 AND trace_id = ANY ($2::uuid[])
  UNION SELECT child.id FROM catalog.task t JOIN catalog.task child ON child.application_id = $1 AND child.parent_id = t.id
  WHERE t.application_id = $1 AND t.trace_id = ANY ($2::uuid[])`;

const erase = `UPDATE catalog.task SET title = 'Erased', description = 'Erased', prompts = CASE type WHEN 'STATIC' THEN ARRAY['Erased'] ELSE '{}' END,
    examples = NULL, metadata = '{}', simulated_prompt_schema = NULL, status = 'ARCHIVED', modified_at = $3
  WHERE application_id = $1 AND id = ANY ($2::uuid[]) AND NOT (title = 'Erased' AND status = 'ARCHIVED')`;

const links = `SELECT DISTINCT definition_id AS id FROM catalog.eval_definition_task
  WHERE application_id = $1 AND task_id = ANY ($2::uuid[])`;

const eraseLinks = `UPDATE catalog.eval_definition_task SET expected = NULL, expected_list = NULL
  WHERE application_id = $1 AND task_id = ANY ($2::uuid[]) AND (expected IS NOT NULL OR expected_list IS NOT NULL)`;

export function eraseTracedTasks({
  database,
  clock,
}: Pick<Deps, "database" | "clock">): Handlers<typeof TestPlanService>["eraseTracedTasks"] {
  return async ({ traceIds, dryRun, copiesOnly }, call) => {
    const { applicationId } = call.tenant;
    if (dryRun) {
      const rows = await database.read<{ id: string }>(call, { text: traced, values: [applicationId, traceIds] });
      return { taskIds: rows.map(({ id }) => id) };
    }
    return database.change(call, async (tx) => {
      const rows = await tx.query<{ id: string }>(traced, [applicationId, traceIds]);
      const taskIds = rows.map(({ id }) => id);
      const linked = await tx.query<{ id: string }>(links, [applicationId, taskIds]);
      if (taskIds.length > 0) {
        if (!copiesOnly) {
          tx.defer(erase, [applicationId, taskIds, clock.now()]);
          tx.defer(eraseLinks, [applicationId, taskIds]);
        }
        // Must run after the triggers of the audit log, because these log the old values.
        eraseCopies(tx, "catalog", taskIds, { resource: "definition-task", ids: linked.map(({ id }) => id) });
      }
      return { taskIds };
    });
  };
}
