// PostgreSQL on three machines: Patroni with etcd, and HAProxy, which forwards to the primary.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@ems/dev/free-port";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { until } from "@ems/dev/until";
import { secureRandom } from "@ems/kit/id";
import { readRows } from "../standby.ts";
import { haproxyConfiguration } from "./haproxy.ts";
import { type Member, newMember } from "./member.ts";
import type { PatroniPrograms } from "./programs.ts";
import { readStatus, ready, startServer } from "./server.ts";

export interface PatroniCluster {
  readonly members: readonly Member[];
  /** URL as the superuser, through HAProxy. */
  readonly url: string;
  /** URL as the superuser, directly at the member. */
  getUrl(member: Member): string;
  /** Waits for a primary; returns it. */
  primary(): Promise<Member>;
  /** Resolves when the standbys follow the primary. */
  complete(): Promise<void>;
  /** Switches over to another member. */
  switchOver(): Promise<void>;
  close(): Promise<void>;
}

const takeOverMs = 90_000;
const connectionsInTurn = 6;

export async function startPatroniCluster(programs: PatroniPrograms, size = 3): Promise<PatroniCluster> {
  await using stack = new AsyncDisposableStack();
  const dir = await temporaryDir("ems-test-patroni-");
  stack.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));

  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  const etcdDir = join(dir, "etcd");
  await mkdir(etcdDir, { mode: 0o700 });
  const etcd = startServer([
    ...[programs.etcd, "--name", "one", "--data-dir", etcdDir],
    ...["--listen-client-urls", client, "--advertise-client-urls", client],
    ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", `one=${peer}`],
  ]);
  stack.defer(() => etcd.stop());
  await ready(etcd, async () => (await readStatus(`${client}/health`)) === 200);

  const password = secureRandom(16).toString("hex");
  const members: Member[] = [];
  for (let at = 0; at < size; at++) {
    const member = await newMember({ name: `pg${at}`, dir, etcdPort, programs, password });
    members.push(member);
    stack.defer(() => member.stop());
    // The first one creates the cluster, the others copy it.
    await member.start();
  }
  const urlAt = (at: number) => `postgres://postgres:${password}@127.0.0.1:${at}/postgres`;
  const primary = async () => {
    let found: Member | undefined;
    const look = async () => {
      const are = await Promise.all(members.map((member) => member.is("primary")));
      found = members[are.indexOf(true)];
      return found !== undefined;
    };
    await until(look, takeOverMs);
    if (found === undefined)
      throw new Error(`no member is the primary: ${members.map((each) => each.output()).join("\n")}`);
    return found;
  };

  const configFile = join(dir, "haproxy.cfg");
  await writeFile(configFile, haproxyConfiguration(port, members), { mode: 0o600 });
  const env = { PATH: process.env.PATH ?? "", LD_LIBRARY_PATH: programs.haproxyLibraries };
  const proxy = startServer([programs.haproxy, "-db", "-f", configFile], { env });
  stack.defer(() => proxy.stop());
  const complete = async () => {
    const follow = async () => {
      const leader = await primary();
      const standbys = members.filter((member) => member !== leader);
      const [replicas, synchronous] = await Promise.all(
        (["replica", "sync"] as const).map((what) => Promise.all(standbys.map((member) => member.is(what)))),
      );
      return replicas?.every(Boolean) && synchronous?.some(Boolean) && (await leadsToPrimary(urlAt(port)));
    };
    if (!(await until(async () => (await follow()) ?? false, takeOverMs)))
      throw new Error("members do not follow the primary");
  };
  await complete();
  const started = stack.move();
  return {
    members,
    url: urlAt(port),
    getUrl: (member) => urlAt(member.port),
    primary,
    complete,
    async switchOver() {
      const leader = await primary();
      const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: leader.name }),
      });
      if (!answer.ok) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`);
    },
    async close() {
      // A stopped (SIGSTOP) member cannot handle the signal.
      for (const member of members) await member.signalAll("SIGCONT");
      await started.disposeAsync();
    },
  };
}

/** Connects several times, since HAProxy considers every server healthy until its checks have failed. */
async function leadsToPrimary(url: string): Promise<boolean> {
  for (let connection = 0; connection < connectionsInTurn; connection++) {
    const found = await readRows<{ isStandby: boolean }>(url, 'SELECT pg_is_in_recovery() AS "isStandby"').catch(
      () => [],
    );
    if (found[0]?.isStandby !== false) return false;
  }
  return true;
}
