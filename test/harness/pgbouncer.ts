// A PgBouncer in transaction mode in front of a PostgreSQL.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@ems/dev/free-port";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { findProgram, libraryPath, type Program } from "./debian.ts";

const program: Program = {
  name: "pgbouncer",
  package: "pgbouncer",
  path: "usr/sbin/pgbouncer",
  libraries: ["libc-ares2", "libevent-2.1-7"],
  advice: "Install PgBouncer 1.21 or later from your system's packages, so that PATH has it.",
};
const unprivilegedUid = 65534;

export interface PgBouncer {
  /** URL through PgBouncer of the same database and user as `url`, which must be one of `urls`. */
  readonly getUrl: (url: string) => string;
  stop(): Promise<void>;
}

/** A PgBouncer that assigns transactions to few backends (by default one) of the database of its URL. */
export async function startPgBouncer(urls: readonly string[], backends = 1): Promise<PgBouncer> {
  const binary = await findProgram(program);
  const databases = urls.map((url) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const login = `user=${username} password=${decodeURIComponent(password)} dbname=${pathname.slice(1)}`;
    return `${username} = host=${hostname} port=${port} ${login}`;
  });
  const folder = await temporaryDir("ems-test-pgbouncer-");
  const listenPort = await freePort();
  const config = join(folder, "pgbouncer.ini");
  await writeFile(
    config,
    `[databases]
${databases.join("\n")}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${backends}
`,
  );
  // It refuses to run as root.
  const ids = process.getuid?.() === 0 ? { uid: unprivilegedUid, gid: unprivilegedUid } : {};
  await chmod(folder, 0o755);
  await chmod(config, 0o644);
  const env = { ...process.env, LD_LIBRARY_PATH: libraryPath(program) };
  const child = spawn(binary, [config], { ...ids, env, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    exited.then(() => reject(new Error(`PgBouncer ended: ${output}`)), reject);
    child.stderr.on("data", (data) => {
      output += data;
      if (output.includes("process up")) resolve();
    });
  });
  return {
    getUrl: (url) => {
      const { username } = new URL(url);
      return `postgres://${username}@127.0.0.1:${listenPort}/${username}`;
    },
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}
