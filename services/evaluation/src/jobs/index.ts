import { runEvery } from "@ems/kit/background";
import { Budgets, startChargingLost } from "../budgets/index.ts";
import type { Deps } from "../deps.ts";
import type { Judge } from "../judges/index.ts";
import { ModelLimits } from "../limits/index.ts";
import { SettingEntity } from "../setting.ts";
import type { Connections } from "./connections.ts";
import type { ToInput } from "./judge-test.ts";
import { resumeIfChanged } from "./resume.ts";
import { pruneJobs } from "./store.ts";
import { watchJobs } from "./telemetry.ts";
import { startWorkSource } from "./work-source.ts";
import { JobWorker } from "./worker.ts";

export type { Connection, Connections } from "./connections.ts";
export { resumeJobs } from "./resume.ts";

export interface JobParts {
  readonly judge: Judge;
  readonly toInput: ToInput;
  readonly connections: Connections;
}

const pruneEveryMs = 60 * 60_000;
const readMs = 5_000;

/** Claims work, and works on jobs. */
export function startJobs(deps: Deps, parts: JobParts): { wake(): void; stop(): Promise<void> } {
  const { config, database, relayDatabase, clock, newId, log } = deps;
  const budgets = new Budgets(deps);
  const meter = {
    limits: new ModelLimits(relayDatabase, config.MODEL_WINDOW_MS),
    budgets,
    connections: parts.connections,
    clock,
    newId,
    callTimeoutMs: 2 * config.MODEL_CALL_TIMEOUT_MS,
  };
  const worker = new JobWorker({
    ...deps,
    ...parts,
    meter,
    settingOf: ({ applicationId, orgId }) =>
      database.withScope({ applicationId, orgId }, Date.now() + readMs, (tx) =>
        tx.findOne(SettingEntity, { applicationId }),
      ),
    resumeIfChanged: (tenant, setting) => resumeIfChanged(database, tenant, setting, clock.now()),
  });
  const source = startWorkSource({ ...deps, onStored: () => worker.wake() });
  const pruning = runEvery("removing old jobs", pruneEveryMs, () => pruneJobs(relayDatabase, clock.now()), log);
  const charging = startChargingLost({ relayDatabase, budgets, log });
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
