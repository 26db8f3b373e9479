// Maximum number of PostgreSQL connections of the processes, and pool sizes in a cluster.

import { type ProcessName, processNames } from "./mesh.ts";
import { processSettings } from "./settings.ts";

/** Maximum connections, by the setting that limits them. */
export interface Pools {
  readonly DATABASE_POOL_MAX: number;
  /** Only for services that publish events. */
  readonly RELAY_POOL_MAX?: number;
}

/**
 * Pool sizes of each process in the chart. Even if each service has two processes, and a third during a rollout, they
 * open at most 90 of PostgreSQL's 100 connections.
 */
export const clusterPools: Partial<Readonly<Record<ProcessName, Pools>>> = {
  identity: { DATABASE_POOL_MAX: 3, RELAY_POOL_MAX: 1 },
  catalog: { DATABASE_POOL_MAX: 3, RELAY_POOL_MAX: 1 },
  traces: { DATABASE_POOL_MAX: 3, RELAY_POOL_MAX: 2 },
  experiments: { DATABASE_POOL_MAX: 3, RELAY_POOL_MAX: 2 },
  evaluation: { DATABASE_POOL_MAX: 3, RELAY_POOL_MAX: 1 },
  reporting: { DATABASE_POOL_MAX: 3 },
  notifications: { DATABASE_POOL_MAX: 3, RELAY_POOL_MAX: 2 },
};

/** Returns the maximum number of direct PostgreSQL connections if each service runs as one process. */
export function connectionsOfAll(env: Readonly<Record<string, string | undefined>>): number {
  const isPooled = env.DATABASE_POOLER === "transaction";
  const limits = processNames.flatMap((name) =>
    processSettings[name].filter(
      (setting) => setting.name === "RELAY_POOL_MAX" || (setting.name === "DATABASE_POOL_MAX" && !isPooled),
    ),
  );
  return limits.reduce((sum, setting) => sum + Number(env[setting.name] || setting.default), 0);
}
