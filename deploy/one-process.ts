// The product in one process: gateway and services with function calls between them, through the same interceptors.

import { catalogConfig } from "@ems/catalog/config";
import { createCatalog } from "@ems/catalog/service";
import { experimentsConfig } from "@ems/experiments/config";
import { createExperiments } from "@ems/experiments/service";
import { gatewayConfig } from "@ems/gateway/config";
import { closeGateway, listenGateway } from "@ems/gateway/listen";
import { createGateway } from "@ems/gateway/server";
import { identityConfig } from "@ems/identity/config";
import { createIdentity } from "@ems/identity/service";
import { startAdmin } from "@ems/kit/admin";
import { systemClock } from "@ems/kit/clock";
import { newId, secureRandom } from "@ems/kit/id";
import { Health } from "@ems/kit/lifecycle";
import { createLog } from "@ems/kit/log";
import { inProcessPeers } from "@ems/kit/rpc/in-process";
import type { ServiceDeps } from "@ems/kit/serve";
import type { Service } from "@ems/kit/service";
import { type Environment, environmentOf, type Ports } from "./environment.ts";
import type { Installation } from "./installation.ts";
import { mesh, type ProcessName, processNames } from "./mesh.ts";
import type { Running } from "./running.ts";

/** Starts everything in this process. */
export async function runOneProcess(env: Environment, installation: Installation): Promise<Running> {
  const services = new Map<string, Service>();
  const endpointsOf = (name: string) => services.get(name)?.endpoints ?? [];
  const environment = (name: ProcessName) => environmentOf(name, env, installation, portsOf(env));
  const gatewayEnv = gatewayConfig(environment("gateway"));
  const depsOf = (name: ProcessName): ServiceDeps => ({
    log: createLog(name, gatewayEnv.LOG_LEVEL),
    clock: systemClock,
    newId,
    random: secureRandom,
    peer: inProcessPeers(name, gatewayEnv.RPC_SECRET, endpointsOf),
  });
  const start = async (service: Service) => void services.set(service.name, service);

  await start(await createIdentity(identityConfig(environment("identity")), depsOf("identity")));
  await start(await createCatalog(catalogConfig(environment("catalog")), depsOf("catalog")));
  await start(await createExperiments(experimentsConfig(environment("experiments")), depsOf("experiments")));
  const health = new Health(
    async () => void (await Promise.all([...services.values()].map((service) => service.ready()))),
  );
  const deps = depsOf("gateway");
  const gateway = await createGateway(gatewayEnv, { ...deps, health });
  const baseUrl = await listenGateway(gateway, gatewayEnv);
  const admin = await startAdmin(gatewayEnv.ADMIN_HOST, gatewayEnv.ADMIN_PORT, health, deps.log);
  return {
    baseUrl,
    adminUrl: admin.url,
    processes: [],
    health,
    lost: new Promise(() => undefined),
    async stop() {
      await closeGateway(gateway);
      for (const service of [...services.values()].reverse()) await service.close();
      await admin.close();
    },
  };
}

/** Nothing listens but the gateway and the admin port. */
function portsOf(env: Environment): Ports {
  const none = { port: 0, adminPort: 0 };
  const gateway = { port: Number(env.PORT ?? mesh.gateway.port), adminPort: Number(env.ADMIN_PORT ?? 0) };
  return { ...(Object.fromEntries(processNames.map((name) => [name, none])) as Ports), gateway };
}
