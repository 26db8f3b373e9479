// Model connections for jobs: finds them, and pauses those that keep failing.

import { monotonicMs } from "@ems/kit/clock";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../deps.ts";
import type { Connection, Connections } from "../jobs/index.ts";
import type { ModelFault } from "../judges/index.ts";
import { ModelConnectionEntity, type ModelConnectionRow, working } from "./entity.ts";
import { type FoundConnection, findConnection } from "./find-connection.ts";
import { modelConnectionPaused } from "./messages.ts";

type ConnectionsDeps = Pick<Deps, "database" | "secrets" | "models" | "prices" | "clock" | "publish">;

/** Minimum duration of failures before a pause. Shorter ones are outages of the provider, which end by themselves. */
export const pausedAfterMs = 15 * 60_000;
export const pausedAfterFailures = 10;

/** Statuses whose cause only the owner of the connection can fix: wrong key, unpaid, forbidden, unknown model. */
const ownersFaults = new Set([401, 402, 403, 404]);

/** Statuses that do not count: a wrong request is not the connection's fault, and a rate limit is not a failure. */
const notFailures = new Set([400, 429]);

const writeMs = 5_000;

export function createConnections(deps: ConnectionsDeps): Connections {
  const { database, clock, publish } = deps;
  /** Connections that have failures: successes of other connections need no write. */
  const failing = new Set<string>();
  const locked = <T>(
    { applicationId, orgId }: Tenant,
    id: string,
    work: (row: ModelConnectionRow, save: (change: Partial<ModelConnectionRow>) => Promise<void>) => Promise<T>,
  ): Promise<T | undefined> =>
    database.withScope({ applicationId, orgId }, monotonicMs() + writeMs, async (tx) => {
      const row = await tx.findOne(ModelConnectionEntity, { applicationId, id }, { lock: "UPDATE" });
      if (row === null) return undefined;
      return work(row, async (change) => {
        await tx.update(ModelConnectionEntity, { applicationId, id }, change);
        if (change.pausedAt instanceof Date) {
          const value = modelConnectionPaused({ ...row, ...change });
          await publish(tx, { applicationId, orgId }, { case: "modelConnectionPaused", value });
        }
      });
    });
  return {
    find: async (tenant, id) => {
      const found = await findConnection(deps, tenant, id);
      if (found === undefined) return undefined;
      if (found.row.failureStreak > 0) failing.add(found.row.id);
      return connection(found);
    },
    succeeded: async (tenant, { id }) => {
      if (!failing.has(id)) return;
      await locked(tenant, id, async (row, save) => {
        if (row.pausedAt === null && row.failureStreak > 0) await save(working);
      });
      failing.delete(id);
    },
    failed: async (tenant, { id }, fault) => {
      if (fault.status !== undefined && notFailures.has(fault.status)) return false;
      failing.add(id);
      const isPaused = await locked(tenant, id, async (row, save) => {
        if (row.pausedAt !== null) return true;
        const change = afterFailure(row, fault, clock.now());
        await save(change);
        return change.pausedAt !== null;
      });
      return isPaused ?? false;
    },
  };
}

/** Returns the changed columns of a connection after a failed call. */
export function afterFailure(
  { failureStreak, failingSince }: Pick<ModelConnectionRow, "failureStreak" | "failingSince">,
  { kind, status, message }: Pick<ModelFault, "kind" | "status" | "message">,
  now: Date,
) {
  const since = failingSince ?? now;
  const streak = failureStreak + 1;
  const isOwners = kind === "rejected" && status !== undefined && ownersFaults.has(status);
  const isLong = streak >= pausedAfterFailures && now.getTime() - since.getTime() >= pausedAfterMs;
  const isPaused = isOwners || isLong;
  return {
    failureStreak: streak,
    failingSince: since,
    pausedAt: isPaused ? now : null,
    pauseReason: isPaused ? message : null,
  };
}

function connection({ row, caller, cost }: FoundConnection): Connection {
  const { id, name, provider, baseUrl, model, requestsPerMinute, tokensPerMinute, concurrency, pauseReason } = row;
  const limits = {
    requestsPerMinute: requestsPerMinute ?? undefined,
    tokensPerMinute: tokensPerMinute ?? undefined,
    concurrency: concurrency ?? undefined,
  };
  return { id, name, provider, baseUrl, model, limits, cost, pauseReason: pauseReason ?? undefined, caller };
}
