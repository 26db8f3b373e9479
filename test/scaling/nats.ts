// One nats-server or a cluster of three that replicates events, with a user for each process of the mesh.

import { join } from "node:path";
import { meshUsers, type NatsUser } from "@ems/deploy/nats-users";
import type { Secrets } from "@ems/deploy/secrets";
import { listNatsUsers, natsUrlAs } from "@ems/dev/nats";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { usersConfiguration } from "@ems/kit/events/nats/permissions";
import { streamName } from "@ems/kit/events/nats/topology";
import { secureRandom } from "@ems/kit/id";
import { loopbackHost } from "@ems/test-support/loopback";
import { connect } from "nats";
import { natsServerBinary } from "../harness/nats.ts";

export interface NatsServers {
  /** Comma-separated URLs of all servers. */
  urlAs(user: NatsUser): string;
  /** Name of the stream's leader; undefined if there is none. */
  leader(): Promise<string | undefined>;
  kill(name: string): Promise<void>;
  /** Restarts a server with its store and ports. */
  restart(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Ports between the servers. Only these servers use the address, and the system assigns no ports this low. */
const ports = [16_232, 16_233, 16_234];
/** The test's own NATS user. */
const operator = "operator";

export async function startNats(directory: string, secrets: Secrets, size: 1 | 3): Promise<NatsServers> {
  const binary = await natsServerBinary();
  const password = secureRandom(16).toString("hex");
  const everything = { publish: [">"], subscribe: [">"] };
  const access = usersConfiguration([
    ...listNatsUsers(secrets, meshUsers),
    { user: operator, password: JSON.stringify(password), may: everything },
  ]);
  const names = Array.from({ length: size }, (_, at) => `nats-${at}`);
  const servers = new Map<string, NatsServer>();
  const start = async (serverName: string, port?: number) => {
    const cluster = { serverName, port: ports[names.indexOf(serverName)] ?? 0, ports };
    servers.set(
      serverName,
      await startNatsServer({
        binary,
        dir: join(directory, serverName),
        host: loopbackHost,
        access,
        // User with which the servers log in to each other.
        ...(size > 1 && { user: operator, password, cluster }),
        ...(port !== undefined && { port }),
      }),
    );
  };
  await Promise.all(names.map((name) => start(name)));
  const getServer = (name: string) => {
    const server = servers.get(name);
    if (server === undefined) throw new Error(`there is no ${name}`);
    return server;
  };
  return {
    urlAs: (user) => [...servers.values()].map(({ url }) => natsUrlAs(url, user, secrets)).join(),
    async leader() {
      const hosts = [...servers.values()].map(({ port }) => `${loopbackHost}:${port}`);
      const connection = await connect({ servers: hosts, user: operator, pass: password });
      try {
        const { config, cluster } = await (await connection.jetstreamManager()).streams.info(streamName);
        if (config.num_replicas !== size) throw new Error(`the stream has ${config.num_replicas} replicas`);
        return cluster?.leader;
      } finally {
        await connection.close();
      }
    },
    async kill(name) {
      const server = getServer(name);
      process.kill(server.pid, "SIGKILL");
      await server.exited;
    },
    restart: (name) => start(name, getServer(name).port),
    async stop() {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    },
  };
}
