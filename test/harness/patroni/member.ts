// A member of a Patroni cluster: a Patroni and its PostgreSQL, as on one machine.

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@ems/dev/free-port";
import { runAs } from "@ems/dev/postgres/account";
import { stringify } from "yaml";
import { getFamily } from "../../bench/processes.ts";
import type { PatroniPrograms } from "./programs.ts";
import { readStatus, ready, type Server, startServer } from "./server.ts";

export interface Member {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  /** Path such as `/primary` or `/replica`: 200 if the member has that role. */
  is(what: "primary" | "replica" | "sync"): Promise<boolean>;
  /** Starts Patroni; resolves when PostgreSQL answers. */
  start(): Promise<void>;
  /** PID of PostgreSQL's postmaster. */
  postmaster(): Promise<number>;
  /** Sends every process of the member a signal: SIGKILL for a lost machine, SIGSTOP for a hanging one. */
  signalAll(signal: NodeJS.Signals): Promise<void>;
  output(): string;
  stop(): Promise<void>;
}

export interface MemberOptions {
  readonly name: string;
  readonly dir: string;
  readonly etcdPort: number;
  readonly programs: PatroniPrograms;
  readonly password: string;
}

/** Minimum of Patroni: a standby takes over when the primary has been silent for `ttl` seconds. */
export const ttlSeconds = 20;

export async function newMember({ name, dir, etcdPort, programs, password }: MemberOptions): Promise<Member> {
  const memberDir = join(dir, name);
  await mkdir(memberDir, { mode: 0o700 });
  const [port, restPort] = [await freePort(), await freePort()];
  const dataDir = join(memberDir, "pg");
  const configFile = join(memberDir, "patroni.yaml");
  const account = await runAs(memberDir, join(programs.postgres, "postgres"));
  const user = (username: string) => ({ username, password });
  const config = {
    scope: "ems",
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: ttlSeconds,
        loop_wait: 1,
        retry_timeout: 5,
        // A crashed PostgreSQL is not restarted: another member takes over.
        primary_start_timeout: 0,
        // A commit is acknowledged once a standby has it, too; without a standby, it waits.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, timezone: "UTC", jit: "off" } },
      },
      initdb: [
        { encoding: "UTF8" },
        { locale: "C" },
        { "locale-provider": "builtin" },
        { "builtin-locale": "C.UTF-8" },
        "data-checksums",
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: dataDir,
      bin_dir: programs.postgres,
      pgpass: join(memberDir, "pgpass"),
      authentication: { superuser: user("postgres"), replication: user("replicator"), rewind: user("rewinder") },
      parameters: { unix_socket_directories: "" },
      pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication replicator 127.0.0.1/32 scram-sha-256"],
    },
  };
  await writeFile(configFile, stringify(config), { mode: 0o600 });
  await account.chown(memberDir);
  const env = { PATH: process.env.PATH ?? "", HOME: memberDir, LC_ALL: "C", TZ: "UTC", PYTHONPATH: programs.python };
  let server: Server | undefined;
  const postmaster = async () => Number.parseInt(await readFile(join(dataDir, "postmaster.pid"), "utf8"), 10);
  const is = async (what: string) => (await readStatus(`http://127.0.0.1:${restPort}/${what}`)) === 200;
  return {
    name,
    port,
    restPort,
    is,
    async start() {
      const command = [...account.wrapper, "python3", "-m", "patroni", configFile];
      server = startServer(command, { ...account.ids, env, cwd: memberDir });
      await ready(server, () => is("health"), 90_000);
    },
    postmaster,
    async signalAll(signal) {
      const pids = existsSync(join(dataDir, "postmaster.pid")) ? getFamily(await postmaster()) : [];
      for (const pid of [server?.process.pid ?? 0, ...pids]) {
        try {
          if (pid > 0) process.kill(pid, signal);
        } catch {
          // The process ended together with an earlier one.
        }
      }
      if (signal === "SIGKILL") await server?.exited;
    },
    output: () => server?.output() ?? "",
    // Patroni shuts PostgreSQL down before it ends.
    stop: async () => server?.stop(),
  };
}
