// A service as a process: the `main.ts` of each service calls `serve`.

import type { Transport } from "@connectrpc/connect";
import { type AdminConfig, type AdminPage, startAdmin } from "./admin.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type CallerConfig, readConfigAndPeers } from "./config.ts";
import { assertServerFits } from "./db/assert-server-fits.ts";
import type { Pooler } from "./db/pooler.ts";
import { assertServerSupported } from "./db/server-version.ts";
import { waitForDatabase } from "./db/wait-for-database.ts";
import type { EventBus } from "./events/bus.ts";
import { type NatsSettings, natsAccess } from "./events/nats/access.ts";
import { openNatsBus, openNatsPublisher } from "./events/nats/bus.ts";
import { Health, pollReadiness } from "./health.ts";
import { type NewId, newId, type Random, secureRandom } from "./id.ts";
import { exitOnUncaughtException, inFlightTimeoutMs, reportListening, stopOnSignal } from "./lifecycle.ts";
import { createLog, flushLog, type Logger } from "./log.ts";
import { listenRpc } from "./rpc/listen.ts";
import { grpcPeers, type Peers } from "./rpc/peers.ts";
import { platformCallers } from "./rpc/platform/callers.ts";
import { createTenants } from "./rpc/platform/create-tenants.ts";
import { guarded } from "./rpc/platform/guard.ts";
import { readTls } from "./rpc/tls.ts";
import { assertKeysMatch } from "./rpc/tokens/assert-keys.ts";
import { authenticator } from "./rpc/tokens/verify.ts";
import type { Service } from "./service.ts";
import { startTracing, type TracingConfig } from "./telemetry/trace.ts";
import { watchdog } from "./telemetry/watchdog.ts";

/** Dependencies that every service has in addition to its configuration. */
export interface ServiceDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Returns a transport to the service of that name, authenticated as this service. */
  readonly peer: (name: string) => Transport;
  /** Without a bus, events wait in the outboxes. */
  readonly bus?: EventBus | undefined;
}

interface ProcessConfig extends AdminConfig, TracingConfig, NatsSettings, CallerConfig {
  readonly LOG_LEVEL: string;
  readonly DRAIN_DELAY_MS: number;
  readonly RPC_HOST: string;
  readonly RPC_PORT: number;
  readonly RPC_CALLERS: readonly string[];
  readonly RPC_TLS_CERT_FILE?: string | undefined;
  readonly RPC_TLS_KEY_FILE?: string | undefined;
  readonly RPC_PLATFORM_CALLERS?: string | undefined;
  readonly RPC_PLATFORM_CALLERS_FILE?: string | undefined;
  readonly RPC_CONNECTION_AGE_MS: number;
  readonly DATABASE_URL: string;
  /** URL for the relay role; only for a service that has an outbox. */
  readonly RELAY_DATABASE_URL?: string;
  readonly DATABASE_POOLER: Pooler;
  readonly DATABASE_POOL_MAX: number;
  readonly RELAY_POOL_MAX?: number;
  /** Number of replicas; only for the service that consumes events, and so creates the stream. */
  readonly NATS_REPLICAS?: number;
}

/** Runs one service until a signal stops it. */
export async function serve<Config extends ProcessConfig>(
  name: string,
  read: { readonly config: () => Config; readonly peers: () => Peers },
  build: (config: Config, deps: ServiceDeps) => Promise<Service>,
): Promise<void> {
  try {
    const { config, peers } = readConfigAndPeers(read.config, read.peers);
    const log = createLog(name, config.LOG_LEVEL);
    exitOnUncaughtException(log);
    const stopTracing = await startTracing(name, config);
    const stopWatchdog = watchdog.start(log);
    assertKeysMatch(name, config);
    const { RPC_CALLERS: callers, RPC_PUBLIC_KEYS: publicKeys, RPC_CONNECTION_AGE_MS: connectionAgeMs } = config;
    const platform = await platformCallers(config, [...publicKeys.keys()]);
    const { RPC_TLS_CERT_FILE: cert, RPC_TLS_KEY_FILE: key } = config;
    const tls = readTls({ cert: "RPC_TLS_CERT_FILE", key: "RPC_TLS_KEY_FILE" }, { cert, key }, log);
    const { peer, closePeers } = grpcPeers(name, config, peers, log);
    const bus = await openBus(name, config, log);
    // Probes are served before the database is reachable: the process is alive but not ready.
    let checkReady = async (): Promise<void> => Promise.reject(new Error("starting"));
    const health = new Health(() => checkReady(), bus && { nats: () => bus.check() });
    const pages: AdminPage[] = [];
    const admin = await startAdmin(config, health, log, pages);
    await waitForDatabase(config.DATABASE_URL, {
      onWaiting: (reason) => {
        checkReady = () => Promise.reject(new Error("waiting for the database", { cause: reason }));
        log.warn({ err: reason }, "waiting for the database");
      },
    });
    const { DATABASE_POOLER, DATABASE_POOL_MAX, RELAY_POOL_MAX = 0 } = config;
    // Connections through a pooler do not count, because the pooler has its own limits.
    const connections = RELAY_POOL_MAX + (DATABASE_POOLER === "none" ? DATABASE_POOL_MAX : 0);
    await assertServerSupported(config.DATABASE_URL);
    await assertServerFits(config.DATABASE_URL, { connections, clock: systemClock });
    // A service that resolves tenants calls itself.
    const RPC_CALLERS = [...callers, ...platform.keys(), name];
    const service = await build(
      { ...config, RPC_CALLERS },
      { log, clock: systemClock, newId, random: secureRandom, peer, bus },
    );
    pages.push(...(service.adminPages ?? []));
    const authenticate = authenticator({ audience: name, callers, publicKeys, platform, log });
    const endpoints =
      platform.size === 0
        ? service.endpoints
        : guarded(service.endpoints, { callers: platform, tenants: createTenants(service, peer), newId, log });
    const rpc = await listenRpc(endpoints, authenticate, config.RPC_HOST, config.RPC_PORT, {
      connectionAgeMs,
      tls,
    });
    checkReady = () => service.ready();
    const stopPolling = await pollReadiness(health, rpc.setServing);
    log.info({ port: rpc.port, admin: admin.url }, "listening");
    reportListening({ port: rpc.port, adminUrl: admin.url });
    stopOnSignal({
      log,
      drainDelayMs: config.DRAIN_DELAY_MS,
      health,
      onDrain: () => {
        stopPolling();
        rpc.setServing(false);
        service.drain?.();
      },
      stop: async () => {
        await rpc.close(inFlightTimeoutMs);
        closePeers();
        await service.close();
        await bus?.close();
        await admin.close();
        stopWatchdog();
        await stopTracing();
      },
    });
  } catch (error) {
    // Writes one sentence as the last line of stderr, which the launcher displays.
    flushLog();
    console.error(`${name} cannot start: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

async function openBus(name: string, config: ProcessConfig, log: Logger): Promise<EventBus | undefined> {
  if (config.RELAY_DATABASE_URL === undefined) return undefined;
  const access = natsAccess(config, `ems-${name}`);
  if (access === undefined) {
    log.warn("NATS_URL is not set: events wait in the outbox");
    return undefined;
  }
  const { NATS_REPLICAS: replicas } = config;
  return replicas === undefined ? openNatsPublisher({ ...access, log }) : openNatsBus({ ...access, replicas, log });
}
