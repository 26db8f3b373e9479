// Runs the gateway and all services in this process, for `npm start`.

import { mesh } from "@ems/deploy/mesh";
import { gatewayConfig } from "@ems/gateway/config";
import { closeGateway, listenGateway } from "@ems/gateway/listen";
import { createGateway } from "@ems/gateway/server";
import { startAdmin } from "@ems/kit/admin";
import { systemClock } from "@ems/kit/clock";
import type { EventBus } from "@ems/kit/events/bus";
import { inProcessBus } from "@ems/kit/events/in-process-bus";
import { natsAccess } from "@ems/kit/events/nats/access";
import { openNatsBus } from "@ems/kit/events/nats/bus";
import { Health, pollReadiness } from "@ems/kit/health";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog, type Logger } from "@ems/kit/log";
import { startTracing } from "@ems/kit/telemetry/trace";
import { watchdog } from "@ems/kit/telemetry/watchdog";
import { type NotificationsConfig, notificationsConfig } from "@ems/notifications/config";
import { buildProcessEnvironment, type Environment, freePorts, type Ports } from "./environment.ts";
import type { Installation } from "./installation.ts";
import type { Nats } from "./nats.ts";
import type { Running } from "./running.ts";
import { openServices } from "./services.ts";

export async function runOneProcess(
  env: Environment,
  installation: Installation,
  nats: Pick<Nats, "urlAs">,
): Promise<Running> {
  const ports = getPorts(env);
  const config = gatewayConfig(buildProcessEnvironment("gateway", env, installation, ports));
  const logLevel = config.LOG_LEVEL;
  const common = { clock: systemClock, newId, random: secureRandom };
  const log = createLog("gateway", logLevel);
  const stopTracing = await startTracing("ems", config);
  const stopWatchdog = watchdog.start(log);
  const own = buildProcessEnvironment("notifications", env, installation, ports, { urlAs: () => nats.urlAs("all") });
  const bus = await openBus(notificationsConfig(own), log);
  const services = await openServices({ env, installation, ports, logLevel, bus, ...common });
  try {
    const health = new Health(() => services.ready(), { nats: () => bus.check() });
    const gateway = await createGateway(config, { ...common, log, health, bus, peer: services.getPeers("gateway") });
    const urls = await listenGateway(gateway, config);
    const admin = await startAdmin(config, health, log, services.adminPages);
    // Readiness checks also compare the clock with PostgreSQL's. Run them regularly, even if no probe requests /readyz.
    const stopPolling = await pollReadiness(health, () => undefined);
    return {
      ...urls,
      adminUrl: admin.url,
      processes: [],
      health,
      lost: new Promise(() => undefined),
      async stop() {
        stopPolling();
        await closeGateway(gateway);
        await services.close();
        await bus.close();
        await admin.close();
        stopWatchdog();
        await stopTracing();
      },
    };
  } catch (error) {
    await services.close();
    await bus.close();
    throw error;
  }
}

/** Opens the event bus that all services share. */
async function openBus(config: NotificationsConfig, log: Logger): Promise<EventBus> {
  const access = natsAccess(config, "ems");
  return access === undefined ? inProcessBus() : openNatsBus({ ...access, replicas: config.NATS_REPLICAS, log });
}

/** Returns the ports. Only the gateway's port and the admin port are used, because services run in this process. */
function getPorts(env: Environment): Ports {
  const gateway = { port: Number(env.PORT ?? mesh.gateway.port), adminPort: Number(env.ADMIN_PORT ?? 0) };
  return { ...freePorts(), gateway };
}
