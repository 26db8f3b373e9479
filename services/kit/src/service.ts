// Common parts of every service: its database, and handlers behind the same interceptors.

import type { AdminPage } from "./admin.ts";
import type { Clock } from "./clock.ts";
import { getPool, serviceDataSource } from "./db/data-source.ts";
import { Database } from "./db/database.ts";
import { databaseError } from "./db/errors.ts";
import type { Pooler } from "./db/pooler.ts";
import { observeQueues, type PausedIn } from "./db/queue/index.ts";
import { RelayDatabase } from "./db/relay-database.ts";
import type { Schema } from "./db/schema.ts";
import { assertSchemaCurrent, assertUnprivilegedRole } from "./db/startup-checks.ts";
import type { EventBus } from "./events/bus.ts";
import { listSchemaQueues } from "./events/outbox-queue.ts";
import { Relay } from "./events/relay.ts";
import type { Logger } from "./log.ts";
import { retainedAudit } from "./retention/audit.ts";
import { Retention } from "./retention/retention.ts";
import { type Endpoint, endpoints } from "./rpc/endpoints.ts";
import { serviceInterceptors } from "./rpc/interceptors.ts";
import type { Mount } from "./rpc/service.ts";
import { observePool } from "./telemetry/database.ts";

/** A service that is built and can respond, not attached to a transport yet. */
export interface Service {
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  /** Pages on the admin port. */
  readonly adminPages?: readonly AdminPage[];
  /**
   * Rejects while the service cannot respond: database unreachable, or schema too old. Compares the clock with
   * PostgreSQL's.
   */
  ready(): Promise<void>;
  /** Completes waiting calls. Called before the process stops. */
  readonly drain?: () => void;
  close(): Promise<void>;
}

export interface ServiceConfig {
  readonly DATABASE_URL: string;
  /** URL for the relay role; only for a service that has an outbox. */
  readonly RELAY_DATABASE_URL?: string;
  readonly RELAY_POOL_MAX?: number;
  readonly RETENTION_DAYS_AUDIT?: number;
  readonly DATABASE_POOLER: Pooler;
  readonly DATABASE_POOL_MAX: number;
  readonly DATABASE_WAITING_MAX: number;
  readonly DATABASE_READ_MS: number;
  readonly RPC_CALLERS: readonly string[];
}

/** Dependencies of `openService` from the service's process. */
export interface OpenDeps {
  readonly log: Logger;
  /** Bus for the service's events; without one they wait in the outbox. */
  readonly bus?: EventBus | undefined;
  /**
   * For a service that works across applications; otherwise `openService` creates its own for the outbox. The creator
   * closes it.
   */
  readonly relayDatabase?: RelayDatabase;
  readonly clock: Clock;
  /** Applications whose jobs are paused on purpose, by queue. */
  readonly pausedIn?: PausedIn;
}

/**
 * Opens the service's database as its runtime role and mounts the handlers that `mounts` creates. Relays its events
 * from the outbox to the bus.
 */
export async function openService(
  schema: Schema,
  config: ServiceConfig,
  { log, bus, clock, relayDatabase: ofService, pausedIn }: OpenDeps,
  mounts: (database: Database) => Mount[] | Promise<Mount[]>,
): Promise<Service> {
  const { DATABASE_URL, DATABASE_POOLER: pooler, DATABASE_POOL_MAX, RPC_CALLERS } = config;
  const { RELAY_DATABASE_URL, RELAY_POOL_MAX = 2, RETENTION_DAYS_AUDIT: auditDays } = config;
  const dataSource = serviceDataSource({ url: DATABASE_URL, pooler, poolMax: DATABASE_POOL_MAX, schema, log });
  await dataSource.initialize();
  try {
    await assertUnprivilegedRole(dataSource, schema);
    const interceptors = serviceInterceptors({ callers: RPC_CALLERS, log, clock, explain: databaseError });
    const own =
      RELAY_DATABASE_URL && ofService === undefined
        ? new RelayDatabase({ schema: { name: schema.name }, url: RELAY_DATABASE_URL, poolMax: RELAY_POOL_MAX, log })
        : undefined;
    const relayDatabase = ofService ?? own;
    const relay = bus && relayDatabase && new Relay({ schema: schema.name, relayDatabase, bus, log });
    const database = new Database(dataSource, {
      onPublished: relay && (() => relay.wake()),
      readMs: config.DATABASE_READ_MS,
      waitingMax: config.DATABASE_WAITING_MAX,
    });
    const audit =
      relayDatabase && auditDays !== undefined
        ? new Retention(
            { schema: schema.name, kinds: [retainedAudit(schema.name, auditDays, relayDatabase)] },
            { relayDatabase, clock, log },
          )
        : undefined;
    audit?.start();
    const mounted = endpoints(await mounts(database), interceptors);
    const stopWatching = observePool(schema.name, getPool(dataSource), database);
    const stopWatchingQueues = relayDatabase && observeQueues(listSchemaQueues(schema), relayDatabase, pausedIn);
    return {
      name: schema.name,
      endpoints: mounted,
      ready: () => assertSchemaCurrent(dataSource, schema, clock),
      close: async () => {
        stopWatching();
        stopWatchingQueues?.();
        await audit?.stop();
        await relay?.stop();
        await own?.close();
        await dataSource.destroy();
      },
    };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
