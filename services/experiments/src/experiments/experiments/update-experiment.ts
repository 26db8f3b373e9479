import type { Transaction } from "@ems/kit/db/transaction";
import { enumName } from "@ems/kit/enum";
import { failure, invalidField } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import { textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type ExperimentService,
  ExperimentStatusSchema,
  type UpdateExperimentRequest,
} from "@ems/proto/experiments/v1/experiment_service";
import type { Deps } from "../../deps.ts";
import { ExperimentEntity, type ExperimentRow, experimentVersions } from "./entity.ts";
import { experimentAssigned } from "./events.ts";
import { type LockedExperiment, lockExperiment } from "./lock-experiment.ts";
import { experiment } from "./messages.ts";
import { checkParts } from "./queries.ts";
import { canBecome, type ExperimentStatusName } from "./status.ts";
import { isStarted } from "./variant-entity.ts";

type Handler = Handlers<typeof ExperimentService>["updateExperiment"];

const externalIds = `SELECT s.external_id AS "externalId" FROM experiments.inference_step s
  WHERE s.application_id = $1 AND s.id = ANY ($2::uuid[])`;

/** Updates an experiment. Its status can only go forward. */
export function updateExperiment(deps: Pick<Deps, "database" | "publish" | "clock" | "references">): Handler {
  return async (request, call) => {
    const { id, title, description, assignee } = request;
    const { applicationId } = call.tenant;
    const person = textOrNull(assignee);
    const parts = {
      inferenceStepIds: distinctIds(request.inferenceStepIds?.values ?? []),
      taskIds: distinctIds(request.taskIds?.values ?? []),
    };
    return deps.database.changeAfter(
      call,
      () => checkParts(deps, call, parts),
      async (tx) => {
        const locked = await lockExperiment(tx, applicationId, id);
        const { experiment: row } = locked;
        experimentVersions.check(call, row);
        const change = {
          title: title ?? row.title,
          description: description ?? row.description,
          assignee: person === undefined ? row.assignee : person,
          status: nextStatus(locked, request),
          inferenceStepIds: request.inferenceStepIds === undefined ? row.inferenceStepIds : parts.inferenceStepIds,
          taskIds: request.taskIds === undefined ? row.taskIds : parts.taskIds,
          modifiedAt: deps.clock.now(),
        };
        await checkLocks(tx, locked, change);
        await tx.update(ExperimentEntity, { applicationId, id }, change);
        if (change.assignee !== null && change.assignee !== row.assignee) {
          await deps.publish(tx, call.tenant, experimentAssigned({ id, title: change.title }, change.assignee));
        }
        experimentVersions.answer(call, { ...row, ...change });
        return { data: experiment({ ...row, ...change }) };
      },
    );
  };
}

/** Returns the new status. If the experiment has variants, the status follows from theirs. */
function nextStatus({ experiment: row, variants }: LockedExperiment, { status }: UpdateExperimentRequest) {
  const next = status === undefined ? row.status : enumName<ExperimentStatusName>(ExperimentStatusSchema, status);
  if (!canBecome(row.status, next))
    throw failure("STATE_CONFLICT", `The experiment is ${row.status} and cannot become ${next}`);
  if (next !== row.status && next !== "ARCHIVED" && variants.length > 0)
    throw failure(
      "STATE_CONFLICT",
      `The experiment has variants: its status follows from theirs and cannot be set to ${next}`,
    );
  return next;
}

/** Throws if tasks or steps change after the baseline was started, or if a step configured by a variant is removed. */
async function checkLocks(
  tx: Transaction,
  { experiment: row, variants }: LockedExperiment,
  { inferenceStepIds, taskIds }: Pick<ExperimentRow, "inferenceStepIds" | "taskIds">,
): Promise<void> {
  const areStepsSame = isSame(inferenceStepIds, row.inferenceStepIds);
  if (areStepsSame && isSame(taskIds, row.taskIds)) return;
  if (variants.some((variant) => variant.parentId === null && isStarted(variant)))
    throw failure("STATE_CONFLICT", "The baseline was started: tasks and inference steps are locked");
  if (areStepsSame) return;
  const rows = await tx.query<{ externalId: string | null }>(externalIds, [row.applicationId, inferenceStepIds]);
  const remaining = new Set(rows.map(({ externalId }) => externalId));
  const missing = variants.flatMap(({ config }) => Object.keys(config)).find((step) => !remaining.has(step));
  if (missing !== undefined)
    throw invalidField(
      ["inference_step_ids"],
      `A variant configures the inference step ${missing}: it cannot be removed`,
    );
}

const isSame = (a: readonly string[], b: readonly string[]) => a.join() === b.join();
