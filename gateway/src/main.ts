import { startAdmin } from "@ems/kit/admin";
import { systemClock } from "@ems/kit/clock";
import { readConfigAndPeers } from "@ems/kit/config";
import { natsAccess } from "@ems/kit/events/nats/access";
import { openNatsListener } from "@ems/kit/events/nats/bus";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { exitOnUncaughtException, reportListening, stopOnSignal } from "@ems/kit/lifecycle";
import { createLog, flushLog } from "@ems/kit/log";
import { grpcPeers } from "@ems/kit/rpc/peers";
import { assertKeysMatch } from "@ems/kit/rpc/tokens/assert-keys";
import { startTracing } from "@ems/kit/telemetry/trace";
import { watchdog } from "@ems/kit/telemetry/watchdog";
import { gatewayConfig, gatewayPeers } from "./config.ts";
import { closeGateway, listenGateway } from "./http/listen.ts";
import { createGateway } from "./server.ts";
import { followClock } from "./upstreams/follow-clock.ts";

try {
  const { config, peers } = readConfigAndPeers(
    () => gatewayConfig(process.env),
    () => gatewayPeers(process.env),
  );
  assertKeysMatch("gateway", config);
  const log = createLog("gateway", config.LOG_LEVEL);
  exitOnUncaughtException(log);
  const stopTracing = await startTracing("gateway", config);
  const stopWatchdog = watchdog.start(log);
  const { peer, readClock, closePeers } = grpcPeers("gateway", config, peers, log);
  const access = natsAccess(config, "ems-gateway");
  const bus = access && (await openNatsListener({ ...access, log }));
  // Readiness does not depend on services: one that is down affects only its own routes.
  const health = new Health(async () => undefined, bus && { nats: () => bus.check() });
  const clockChecks = followClock(systemClock, () => readClock("identity"), log);
  const gateway = await createGateway(config, { log, clock: systemClock, newId, health, peer, bus });
  const { baseUrl, grpcUrl } = await listenGateway(gateway, config);
  const admin = await startAdmin(config, health, log);
  log.info({ baseUrl, grpcUrl, admin: admin.url }, "listening");
  const grpcPort = grpcUrl === undefined ? undefined : Number(new URL(grpcUrl).port);
  reportListening({ port: Number(new URL(baseUrl).port), adminUrl: admin.url, grpcPort });
  stopOnSignal({
    log,
    drainDelayMs: config.DRAIN_DELAY_MS,
    health,
    stop: async () => {
      await closeGateway(gateway);
      await clockChecks.stop();
      closePeers();
      await bus?.close();
      await admin.close();
      stopWatchdog();
      await stopTracing();
    },
  });
} catch (error) {
  // Write the buffered log first: the launcher of a local mesh prints the last lines of stderr.
  flushLog();
  console.error(`gateway cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
