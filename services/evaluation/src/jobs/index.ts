import { runEvery } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { Tenant } from "@ems/kit/tenant";
import { Budgets, startChargingLost } from "../budgets/index.ts";
import type { Deps } from "../deps.ts";
import type { Judge } from "../judges/index.ts";
import { ModelLimits } from "../limits/index.ts";
import { SettingEntity } from "../setting.ts";
import type { Connections } from "./connections.ts";
import type { ToInput } from "./judge-test.ts";
import type { MeterDeps } from "./metered-model.ts";
import type { Refusal } from "./resume.ts";
import { pruneJobs } from "./store.ts";
import { watchJobs } from "./telemetry.ts";
import { startWorkSource } from "./work-source.ts";
import { JobWorker } from "./worker.ts";

export type { Connection, Connections } from "./connections.ts";
export { callOptions, toTenant } from "./execution.ts";
export { type MeterDeps, MeteredModel } from "./metered-model.ts";
export { type Refusal, resumeJobs } from "./resume.ts";
export { Waiting, type WaitingFor } from "./waiting.ts";

export interface JobParts {
  readonly judge: Judge;
  readonly toInput: ToInput;
  readonly connections: Connections;
  /** Makes waiting jobs due if the reason for their wait changed while they were being parked. */
  readonly resumeIfOver: (tenant: Tenant, refusal: Refusal) => Promise<void>;
}

const pruneEveryMs = 60 * 60_000;
const readMs = 5_000;

/** Builds the parts that limit, reserve and charge model calls. */
export function buildMeter(deps: Deps, connections: Connections): MeterDeps {
  const { config, relayDatabase, clock, newId } = deps;
  return {
    limits: new ModelLimits(relayDatabase, config.MODEL_WINDOW_MS),
    budgets: new Budgets({ ...deps, uncertainShare: config.BUDGET_UNCERTAIN_SHARE }),
    connections,
    clock,
    newId,
    callTimeoutMs: 2 * config.MODEL_CALL_TIMEOUT_MS,
  };
}

/** Starts the workers that claim work and run jobs. */
export function startJobs(deps: Deps, parts: JobParts): { wake(): void; stop(): Promise<void> } {
  const { database, relayDatabase, clock, log } = deps;
  const meter = buildMeter(deps, parts.connections);
  const worker = new JobWorker({
    ...deps,
    ...parts,
    meter,
    findSetting: ({ applicationId, orgId }) =>
      database.withScope({ applicationId, orgId }, monotonicMs() + readMs, (tx) =>
        tx.findOne(SettingEntity, { applicationId }),
      ),
  });
  const source = startWorkSource({ ...deps, onStored: () => worker.wake() });
  const pruning = runEvery("removing old jobs", pruneEveryMs, () => pruneJobs(relayDatabase, clock.now()), log);
  const charging = startChargingLost({ relayDatabase, budgets: meter.budgets, log });
  const stopWatching = watchJobs(relayDatabase);
  return {
    wake: () => worker.wake(),
    stop: async () => {
      stopWatching();
      await source.stop();
      await worker.stop();
      await Promise.all([pruning.stop(), charging.stop()]);
    },
  };
}
