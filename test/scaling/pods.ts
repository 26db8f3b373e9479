// Processes of the mesh as pods of a cluster: each has its own address, and the name of a kind resolves to all its
// addresses, like a headless Service. Replicas can be added and removed while the others work.

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterPools } from "@ems/deploy/connections";
import { addressVariable, mesh, type ProcessName, processNames } from "@ems/deploy/mesh";
import { type Child, ready, startChild, stopChild } from "@ems/dev/child";
import { buildProcessEnvironment, type Environment, freePorts } from "@ems/dev/environment";
import type { Installation } from "@ems/dev/installation";
import type { Nats } from "@ems/dev/nats";
import { loopbackHost } from "@ems/test-support/loopback";

export interface Pods {
  /** Starts another process; resolves once it is ready and its kind's name resolves to it. */
  add(name: ProcessName): Promise<void>;
  /** Removes the newest process of the kind as a cluster does: address first, then SIGTERM. Returns the exit code. */
  remove(name: ProcessName): Promise<number | null>;
  count(name: ProcessName): number;
  /** Returns the base URL of the next ready gateway, as a load balancer picks one. */
  nextGateway(): string;
  /** Returns the ids of the kind's processes. */
  pids(name: ProcessName): number[];
  /** Processes that exited without being stopped, with the reason. */
  readonly crashes: readonly string[];
  close(): Promise<void>;
}

interface Pod {
  readonly child: Child;
  readonly host: string;
  isStopping: boolean;
}

const domain = "pods.ems.test";
/** Module that each process preloads in place of the system's name service. */
const names = join(import.meta.dirname, "names.ts");

/** Starts one process of each kind, callees first. */
export async function startPods(
  base: Environment,
  installation: Installation,
  directory: string,
  nats: Pick<Nats, "urlAs">,
): Promise<Pods> {
  const pods = new Map<ProcessName, Pod[]>(processNames.map((name) => [name, []]));
  const getPods = (name: ProcessName) => pods.get(name) ?? [];
  const crashes: string[] = [];
  let [addresses, turn] = [0, 0];
  const hostsFile = join(directory, "hosts.json");
  const publish = () => {
    const hosts = processNames.map((name) => [`${name}.${domain}`, getPods(name).map(({ host }) => host)]);
    // Write another file and rename it, so that no process reads a partial file.
    writeFileSync(`${hostsFile}.new`, JSON.stringify(Object.fromEntries(hosts)));
    renameSync(`${hostsFile}.new`, hostsFile);
  };
  const add = async (name: ProcessName) => {
    const host = loopbackHost.replace(/^127\.64/, `127.${65 + addresses++}`);
    const env = buildProcessEnvironment(name, base, installation, freePorts(), nats);
    const named = processNames.map((peer) => [addressVariable(peer), `${peer}.${domain}:${mesh[peer].port}`]);
    const { port } = mesh[name];
    const child = startChild(
      name,
      {
        ...env,
        ...Object.fromEntries(named),
        ...Object.fromEntries(Object.entries(clusterPools[name] ?? {}).map(([pool, max]) => [pool, String(max)])),
        HOST: host,
        RPC_HOST: host,
        ADMIN_HOST: host,
        ADMIN_PORT: "0",
        GRPC_PORT: "off",
        ...(name === "gateway" ? { PORT: String(port) } : { RPC_PORT: String(port) }),
        EMS_TEST_HOSTS: hostsFile,
        NODE_OPTIONS: `--max-semi-space-size=4 --import=${names}`,
      },
      () => undefined,
    );
    const pod = { child, host, isStopping: false };
    void child.ended.then((why) => {
      if (!pod.isStopping) crashes.push(why);
    });
    await ready(child);
    getPods(name).push(pod);
    publish();
  };
  const close = async () => {
    for (const pod of [...pods.values()].reverse().flat()) {
      pod.isStopping = true;
      await stopChild(pod.child);
    }
  };
  publish();
  try {
    for (const name of processNames) await add(name);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    add,
    async remove(name) {
      const pod = getPods(name).pop();
      if (pod === undefined) throw new Error(`there is no ${name}`);
      publish();
      pod.isStopping = true;
      pod.child.process.kill("SIGTERM");
      await pod.child.ended;
      return pod.child.process.exitCode;
    },
    count: (name) => getPods(name).length,
    nextGateway() {
      const gateways = getPods("gateway");
      return `http://${gateways[turn++ % gateways.length]?.host}:${mesh.gateway.port}`;
    },
    pids: (name) => getPods(name).map(({ child }) => child.process.pid ?? 0),
    crashes,
    close,
  };
}
