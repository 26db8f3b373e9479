// A service under test: real database, real interceptors, stubbed peers.

import type { DescService } from "@bufbuild/protobuf";
import { type Client, type ConnectRouter, createClient, createRouterTransport } from "@connectrpc/connect";
import { hasOutbox, type Schema } from "@ems/kit/db/schema";
import type { EventBus } from "@ems/kit/events/bus";
import { newId, secureRandom } from "@ems/kit/id";
import { createLog, type Logger } from "@ems/kit/log";
import { inProcessPeers } from "@ems/kit/rpc/in-process";
import type { ServiceDeps } from "@ems/kit/serve";
import type { Service } from "@ems/kit/service";
import { afterAll, inject } from "vitest";
import { fixedClock } from "./clock.ts";
import { type TestDatabase, type TestPostgres, testDatabase } from "./database.ts";
import { testKeys } from "./rpc-keys.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

/** Caller of the tests; the gateway in a mesh. */
const caller = "gateway";

export interface ServiceHarness {
  readonly service: Service;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly database: TestDatabase;
  /** An in-process client of the service. */
  client<S extends DescService>(desc: S): Client<S>;
}

/** Parts of a service of a harness. */
export interface HarnessedService<Config> {
  readonly schema: Schema;
  readonly config: (env: Record<string, string>) => Config;
  readonly build: (config: Config, deps: ServiceDeps) => Promise<Service>;
  /** The service's own settings. */
  readonly env?: Record<string, string>;
}

export interface ServiceHarnessOptions<Config, Other> extends HarnessedService<Config> {
  /** A real service that it calls, on the same database; other peers are stubbed. */
  readonly companion?: HarnessedService<Other>;
  /** Answers of the services' peers. */
  readonly peers?: (router: ConnectRouter) => void;
  /** Default: silent. */
  readonly log?: Logger | undefined;
  /** Connection of another service, which closes it. Default: its own. */
  readonly database?: TestDatabase | undefined;
  /** Bus of the events. Without one they stay in the outbox. */
  readonly bus?: EventBus | undefined;
}

/** Builds the service, by default on a database of its own, and closes both after the file's tests. */
export async function serviceHarness<Config, Other = never>({
  peers = () => undefined,
  log,
  bus,
  companion,
  database: shared,
  ...own
}: ServiceHarnessOptions<Config, Other>): Promise<ServiceHarness> {
  const database = shared ?? (await testDatabase(inject("postgres")));
  const clock = fixedClock();
  const companions = new Map<string, Service>();
  const open = <One>({ schema, config, build, env }: HarnessedService<One>) => {
    const inProcess = inProcessPeers(schema.name, (name) => companions.get(name)?.endpoints ?? []);
    const settings = config({
      DATABASE_URL: database.getUrl(schema),
      ...(hasOutbox(schema) && { RELAY_DATABASE_URL: database.getRelayUrl(schema) }),
      RPC_PORT: "0",
      RPC_CALLERS: `${caller},${own.schema.name}`,
      ...testKeys,
      LOG_LEVEL: "silent",
      ...env,
    });
    return build(settings, {
      log: log ?? createLog(schema.name, "silent"),
      clock,
      newId,
      random: secureRandom,
      bus,
      peer: (name) => (companions.has(name) ? inProcess(name) : createRouterTransport(peers)),
    });
  };
  if (companion !== undefined) companions.set(companion.schema.name, await open(companion));
  const service = await open(own);
  const services = [service, ...companions.values()];
  afterAll(async () => {
    for (const each of services) await each.close();
    if (shared === undefined) await database.drop();
  });
  const endpoints = services.flatMap((each) => each.endpoints);
  const peer = inProcessPeers(caller, () => endpoints);
  return { service, clock, database, client: (desc) => createClient(desc, peer(service.name)) };
}
