// Runs all services in this process. They call each other by function calls, with the same interceptors as over gRPC.

import type { Transport } from "@connectrpc/connect";
import { catalogConfig } from "@ems/catalog/config";
import { createCatalog } from "@ems/catalog/service";
import type { ProcessName } from "@ems/deploy/mesh";
import { evaluationConfig } from "@ems/evaluation/config";
import { createEvaluation } from "@ems/evaluation/service";
import { experimentsConfig } from "@ems/experiments/config";
import { createExperiments } from "@ems/experiments/service";
import { identityConfig } from "@ems/identity/config";
import { createIdentity } from "@ems/identity/service";
import type { AdminPage } from "@ems/kit/admin";
import type { Clock } from "@ems/kit/clock";
import type { EventBus } from "@ems/kit/events/bus";
import type { NewId, Random } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { inProcessPeers } from "@ems/kit/rpc/in-process";
import type { ServiceDeps } from "@ems/kit/serve";
import type { Service } from "@ems/kit/service";
import { notificationsConfig } from "@ems/notifications/config";
import { createNotifications } from "@ems/notifications/service";
import { reportingConfig } from "@ems/reporting/config";
import { createReporting } from "@ems/reporting/service";
import { tracesConfig } from "@ems/traces/config";
import { createTraces } from "@ems/traces/service";
import { buildProcessEnvironment, type Environment, type Ports } from "./environment.ts";
import type { Installation } from "./installation.ts";

export interface Services {
  /** Rejects while a service is not ready. */
  ready(): Promise<void>;
  /** Returns the transports with which the process `caller` calls each service. */
  getPeers(caller: ProcessName): (name: string) => Transport;
  /** Pages of the services to serve on the admin port. */
  readonly adminPages: readonly AdminPage[];
  close(): Promise<void>;
}

export interface ServicesOptions {
  readonly env: Environment;
  readonly installation: Installation;
  readonly ports: Ports;
  readonly logLevel: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Event bus. If absent, events stay in the outboxes. */
  readonly bus?: EventBus | undefined;
}

/** Opens the services, callees first. If one fails, closes the services that have opened. */
export async function openServices(options: ServicesOptions): Promise<Services> {
  const { env, installation, ports, logLevel, clock, newId, random, bus } = options;
  const opened = new Map<string, Service>();
  const environment = (name: ProcessName) => buildProcessEnvironment(name, env, installation, ports);
  const getPeers = (caller: ProcessName) => inProcessPeers(caller, (name) => opened.get(name)?.endpoints ?? []);
  const deps = (name: ProcessName): ServiceDeps => {
    return { log: createLog(name, logLevel), clock, newId, random, bus, peer: getPeers(name) };
  };
  const close = async () => {
    for (const service of [...opened.values()].reverse()) await service.close();
  };
  try {
    opened.set("identity", await createIdentity(identityConfig(environment("identity")), deps("identity")));
    opened.set("catalog", await createCatalog(catalogConfig(environment("catalog")), deps("catalog")));
    opened.set("traces", await createTraces(tracesConfig(environment("traces")), deps("traces")));
    opened.set(
      "experiments",
      await createExperiments(experimentsConfig(environment("experiments")), deps("experiments")),
    );
    opened.set("evaluation", await createEvaluation(evaluationConfig(environment("evaluation")), deps("evaluation")));
    opened.set("reporting", await createReporting(reportingConfig(environment("reporting")), deps("reporting")));
    opened.set(
      "notifications",
      await createNotifications(notificationsConfig(environment("notifications")), deps("notifications")),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ready: async () => void (await Promise.all([...opened.values()].map((service) => service.ready()))),
    getPeers,
    adminPages: [...opened.values()].flatMap(({ adminPages = [] }) => adminPages),
    close,
  };
}
