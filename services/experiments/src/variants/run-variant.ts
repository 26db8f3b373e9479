import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../deps.ts";
import { insertRun, planRun, type RunToStart } from "../execution/index.ts";
import type { ExperimentRow, VariantRow } from "../experiments/index.ts";
import { addMonths } from "../tests/index.ts";
import { type LockedVariant, lockVariant, writeVariant } from "./change-variant.ts";
import { variant } from "./messages.ts";
import { readVariant } from "./queries.ts";

type Handler = Handlers<typeof VariantService>["runVariant"];
type RunDeps = Pick<Deps, "database" | "clock" | "newId" | "plans" | "publishAll" | "references">;

/** Tests an experiment's tasks with a variant. */
export function runVariant(deps: RunDeps): Handler {
  return ({ repeat = 1, simulate = false, ...key }, call) => {
    const check = async () => {
      const { experiment, variant: row } = await readVariant(deps.database, call, key);
      if (experiment.taskIds.length === 0) throw failure("STATE_CONFLICT", "The experiment has no tasks");
      const run: RunToStart = {
        id: deps.newId(),
        type: "EXPERIMENT",
        title: `${experiment.title}: ${row.title}`,
        experimentVariantId: row.id,
        taskIds: experiment.taskIds,
        ...{ repeat, simulate, definitionIds: [] },
      };
      return { run, plan: await planRun(deps, call, run, "taskIds") };
    };
    return deps.database.runExpensive(call, () =>
      deps.database.changeAfter(call, check, async (tx, { run, plan }) => {
        // Before any row is locked.
        addMonths(tx, [deps.clock.now()]);
        const locked = await lockVariant(tx, call.tenant.applicationId, key);
        checkStart(locked, run);
        const started = { status: "RUNNING", runId: run.id, stopped: false } as const;
        const row = writeVariant(tx, locked, deps.clock.now(), started);
        // After the variant: prompts are asked for of its last run.
        const total = await insertRun(deps, tx, call, run, plan);
        return { data: variant(row, { progress: { completed: 0n, total: BigInt(total) }, result: null }) };
      }),
    );
  };
}

/** Throws unless the variant may be started with these tasks. */
function checkStart({ experiment, variants, variant: row }: LockedVariant, { taskIds }: RunToStart): void {
  const reason = reasonAgainst(experiment, row, variants, taskIds);
  if (reason !== undefined) throw failure("STATE_CONFLICT", reason);
}

function reasonAgainst(
  { status, taskIds }: ExperimentRow,
  row: VariantRow,
  variants: readonly VariantRow[],
  planned: readonly string[],
): string | undefined {
  if (status === "ARCHIVED") return "The experiment is ARCHIVED";
  if (row.status !== "DRAFT" && row.status !== "FAILED") return `The variant is ${row.status} and cannot be started`;
  if (taskIds.join() !== planned.join()) return "The experiment's tasks have changed meanwhile";
  const baseline = variants.find(({ parentId }) => parentId === null);
  if (row.parentId !== null && baseline?.status !== "COMPLETED")
    return `The baseline is ${baseline?.status}: it has to be COMPLETED before other variants are started`;
  return undefined;
}
