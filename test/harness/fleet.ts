// Processes of a mesh under a test's control: several of each, each at a fixed address.

import { addressVariable, type ProcessName, processNames } from "@ems/deploy/mesh";
import { type Child, ready, startChild, stopChild } from "@ems/dev/child";
import { buildProcessEnvironment, type Environment, freePorts, type Ports } from "@ems/dev/environment";
import type { Installation } from "@ems/dev/installation";
import type { Nats } from "@ems/dev/nats";
import { loopbackHost } from "@ems/test-support/loopback";

export interface Fleet {
  /** Base URLs of the gateways, by copy. */
  readonly baseUrls: readonly string[];
  /** Base URLs of the ready gateways, to which a load balancer sends requests. */
  readyUrls(): Promise<string[]>;
  /** URL of the process's admin port. */
  adminUrl(name: ProcessName, copy?: number): string;
  /** gRPC port of the gateway; it changes at a restart. */
  grpcUrl(copy?: number): string;
  /** Address of the process's RPC port. */
  address(name: ProcessName, copy?: number): string;
  /** Kills the process with SIGKILL, like the loss of its machine. */
  kill(name: ProcessName, copy?: number): Promise<void>;
  /** Sends the process a signal without waiting. */
  signal(name: ProcessName, signal: NodeJS.Signals, copy?: number): void;
  /** Waits for the end of a stopped process; returns its exit code, or null if a signal ended it. */
  exited(name: ProcessName, copy?: number): Promise<number | null>;
  /** Restarts an ended process at its address, and waits until it is ready. */
  restart(name: ProcessName, copy?: number): Promise<void>;
  /** Starts another replica and returns how to stop it. No client calls it, but it shares background work. */
  startAnother(name: ProcessName): Promise<() => Promise<void>>;
  /** Processes that exited without being stopped, with the reason. */
  readonly crashes: readonly string[];
  /** Output of all processes so far. */
  output(): string;
  close(): Promise<void>;
}

interface Member {
  child: Child;
  readonly port: number;
  readonly adminPort: number;
  grpcPort: number | undefined;
  isStopping: boolean;
}

/** Environment of one process, in addition to that of all. */
export type OwnEnvironment = (name: ProcessName) => Environment;

/** Starts `copies` processes of each, callees first. */
export async function startFleet(
  base: Environment,
  installation: Installation,
  copies: number,
  nats?: Pick<Nats, "urlAs">,
  ownEnv: OwnEnvironment = () => ({}),
): Promise<Fleet> {
  const members = new Map<ProcessName, Member[]>(processNames.map((name) => [name, []]));
  const crashes: string[] = [];
  let output = "";
  const write = (chunk: Buffer) => {
    output += chunk.toString();
  };
  const member = (name: ProcessName, copy: number): Member => {
    const found = members.get(name)?.[copy];
    if (found === undefined) throw new Error(`there is no ${name} ${copy}`);
    return found;
  };
  const getAddress = ({ port }: Member) => `${loopbackHost}:${port}`;
  const addresses = () =>
    Object.fromEntries([...members].map(([name, found]) => [addressVariable(name), found.map(getAddress).join()]));
  const start = (name: ProcessName, port: number, adminPort: number): Child => {
    const ports: Ports = { ...freePorts(), [name]: { port, adminPort } };
    const env = buildProcessEnvironment(name, base, installation, ports, nats);
    const hosts = { HOST: loopbackHost, RPC_HOST: loopbackHost, ADMIN_HOST: loopbackHost };
    // A free address: every copy of the gateway listens on the same host.
    return startChild(name, { ...env, ...ownEnv(name), GRPC_PORT: "0", ...hosts, ...addresses() }, write);
  };
  const watch = (found: Member) => {
    const { child } = found;
    void child.ended.then((why) => {
      if (found.child === child && !found.isStopping) crashes.push(why);
    });
  };
  const close = async () => {
    for (const found of [...members.values()].reverse().flat()) {
      found.isStopping = true;
      // A stopped (SIGSTOP) process cannot handle the signal.
      found.child.process.kill("SIGCONT");
      await stopChild(found.child);
    }
  };

  try {
    for (const name of processNames) {
      const children = Array.from({ length: copies }, () => start(name, 0, 0));
      for (const child of children) {
        const { port, adminUrl, grpcPort } = await ready(child);
        const found = { child, port, adminPort: Number(new URL(adminUrl).port), grpcPort, isStopping: false };
        members.get(name)?.push(found);
        watch(found);
      }
    }
  } catch (error) {
    await close();
    throw error;
  }

  const gateways = members.get("gateway") ?? [];
  const getUrl = (found: Member) => `http://${getAddress(found)}`;
  const getAdminUrl = ({ adminPort }: Member) => `http://${loopbackHost}:${adminPort}`;
  return {
    baseUrls: gateways.map(getUrl),
    async readyUrls() {
      const found = await Promise.all(
        gateways.map(async (gateway) => {
          const url = `${getAdminUrl(gateway)}/readyz`;
          const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
          await answer?.body?.cancel();
          return answer?.ok ? [getUrl(gateway)] : [];
        }),
      );
      return found.flat();
    },
    adminUrl: (name, copy = 0) => getAdminUrl(member(name, copy)),
    grpcUrl: (copy = 0) => `http://${loopbackHost}:${member("gateway", copy).grpcPort}`,
    address: (name, copy = 0) => getAddress(member(name, copy)),
    async kill(name, copy = 0) {
      const found = member(name, copy);
      found.isStopping = true;
      found.child.process.kill("SIGKILL");
      await found.child.ended;
    },
    signal(name, signal, copy = 0) {
      const found = member(name, copy);
      if (signal === "SIGTERM") found.isStopping = true;
      found.child.process.kill(signal);
    },
    async exited(name, copy = 0) {
      const { child } = member(name, copy);
      await child.ended;
      return child.process.exitCode;
    },
    async restart(name, copy = 0) {
      const found = member(name, copy);
      found.child = start(name, found.port, found.adminPort);
      found.isStopping = false;
      watch(found);
      found.grpcPort = (await ready(found.child)).grpcPort;
    },
    async startAnother(name) {
      const child = start(name, 0, 0);
      await ready(child);
      return () => stopChild(child);
    },
    crashes,
    output: () => output,
    close,
  };
}
