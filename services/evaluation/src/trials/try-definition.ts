import { busy, concurrencyLimited } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionTrialService } from "@ems/proto/evaluation/v1/definition_trial_service";
import { definitionTrialsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { buildMeter } from "../jobs/index.ts";
import { runTrial } from "./run-trial.ts";

type Handler = Handlers<typeof DefinitionTrialService>["tryDefinition"];

/** Runs a trial. A repeated call gets the stored answer without another model call. */
export function tryDefinition(deps: Deps): Handler {
  const { database, connections } = deps;
  const meter = buildMeter(deps, connections);
  const limiter = new TenantConcurrencyLimiter({
    maxPerKey: definitionTrialsMax,
    reject: () => concurrencyLimited("Too many concurrent trials of definitions: try again when one has ended"),
  });
  const running = new Set<string>();
  /** Allows one trial per idempotency key: the transaction that stores the answer begins only after the trial. */
  const exclusively = async <T>({ tenant, idempotency }: Call, work: () => Promise<T>): Promise<T> => {
    if (idempotency === undefined) return work();
    const key = `${tenant.applicationId} ${idempotency.key}`;
    if (running.has(key)) throw inUse();
    running.add(key);
    return work().finally(() => running.delete(key));
  };
  return async (request, call) => {
    const { applicationId } = call.tenant;
    const work = () => limiter.run(applicationId, undefined, () => runTrial({ ...deps, meter }, request, call));
    const check = async () => ((await isAnswered(deps, call)) ? undefined : exclusively(call, work));
    return database.changeAfter(call, check, async (_, data) => {
      if (data === undefined) throw inUse();
      return { data };
    });
  };
}

const inUse = () => busy("A request with this Idempotency-Key is still running");

async function isAnswered({ database }: Pick<Deps, "database">, call: Call): Promise<boolean> {
  const { tenant, idempotency } = call;
  if (idempotency === undefined) return false;
  const rows = await database.read(call, {
    name: "answered-trial",
    text: "SELECT 1 FROM evaluation.idempotency WHERE application_id = $1 AND rpc = $2 AND key = $3",
    values: [tenant.applicationId, idempotency.rpc, idempotency.key],
  });
  return rows.length > 0;
}
