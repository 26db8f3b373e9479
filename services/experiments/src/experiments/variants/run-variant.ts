import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { insertRun, planFrozen, planRun, type RunToStart, toLabels } from "../../runs/execution/index.ts";
import { noResults, toSummary } from "../../runs/outcomes/index.ts";
import { addMonths } from "../../runs/tests/index.ts";
import { reasonAgainstRun, type TaskSetSummary } from "../experiments/index.ts";
import { freezeTaskSet, frozenPlans, readDefinitions } from "../task-sets/index.ts";
import { type LockedVariant, lockVariant, writeVariant } from "./change-variant.ts";
import { variant } from "./messages.ts";
import { readVariant } from "./queries.ts";

type Handler = Handlers<typeof VariantService>["runVariant"];
type RunDeps = Pick<Deps, "database" | "clock" | "newId" | "plans" | "publishAll" | "references">;

/** Starts a run of the experiment's tasks with a variant. */
export function runVariant(deps: RunDeps): Handler {
  return ({ repeat = 1, simulate = false, name, version, commit, notes, ...key }, call) => {
    const check = async () => {
      const { experiment, variant: row } = await readVariant(deps.database, call, key);
      if (experiment.taskIds.length === 0) throw failure("STATE_CONFLICT", "The experiment has no tasks");
      const run: RunToStart = {
        id: deps.newId(),
        type: "EXPERIMENT",
        ...toLabels({ name: name ?? `${experiment.title}: ${row.title}`, version, commit, notes }),
        experimentVariantId: row.id,
        taskIds: experiment.taskIds,
        repeat,
        simulate,
        definitionIds: [],
      };
      const frozen = row.parentId === null ? null : experiment.taskSet;
      if (frozen !== null) {
        const plans = await frozenPlans(deps.database, call, frozen.id);
        return { run, plan: planFrozen(run, plans), frozen };
      }
      const plan = await planRun(deps, call, run, "taskIds");
      // Variants other than the baseline use the definitions that were frozen with the baseline.
      const definitions = row.parentId === null ? await readDefinitions(deps, call, plan.plans) : [];
      return { run, plan, frozen, definitions };
    };
    return deps.database.runExpensive(call, () =>
      deps.database.changeAfter(call, check, async (tx, { run, plan, frozen, definitions = [] }) => {
        // Must come before any row lock, because creating partitions may wait for another transaction.
        addMonths(tx, [deps.clock.now()]);
        const locked = await lockVariant(tx, call.tenant.applicationId, key);
        checkStart(locked, run, frozen);
        const started = { status: "RUNNING", runId: run.id, stopped: false } as const;
        const row = writeVariant(tx, locked, deps.clock.now(), started);
        if (locked.variant.parentId === null)
          await freezeTaskSet(deps, tx, call, locked.experiment.id, { plans: plan.plans, definitions });
        // Must come after the update of the variant, because prompts are requested only for a variant's last run.
        const total = await insertRun(deps, tx, call, run, plan);
        const progress = { completed: 0n, total: BigInt(total) };
        return { data: variant(row, { progress, result: null, summary: toSummary(noResults) }) };
      }),
    );
  };
}

/** Throws unless the variant may be started with these tasks. */
function checkStart(
  { experiment, variants, variant: row }: LockedVariant,
  { taskIds }: RunToStart,
  frozen: TaskSetSummary | null,
): void {
  const isSame = taskIds.join() === experiment.taskIds.join();
  const isSetSame = row.parentId === null || experiment.taskSet?.id === frozen?.id;
  const reason =
    reasonAgainstRun(experiment, row, variants) ??
    (isSame && isSetSame ? undefined : "The experiment's tasks changed during the request: retry");
  if (reason !== undefined) throw failure("STATE_CONFLICT", reason);
}
