// Podman with its own configuration and store, separate from the machine's containers.

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cache } from "../harness/debian.ts";

/** Folder of the store and of the base images' trees; kept between runs. */
export const containersCache = join(cache, "containers");
const programs = ["podman", "runc", "debootstrap"];

// Crun refuses control groups of version 1 next to version 2; Podman's default limits exceed a restricted root's.
const configuration = `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=20000:20000"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
`;

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a Podman command; the caller checks the exit code. */
export type TryPodman = (...args: string[]) => Promise<Output>;

export interface Engine {
  readonly attempt: TryPodman;
  /** Runs a Podman command; returns its trimmed output, and throws if it fails. */
  readonly podman: (...args: string[]) => Promise<string>;
  /** Environment in which `podman` in a shell is this one. */
  readonly env: NodeJS.ProcessEnv;
}

/** Prepares Podman. If this machine cannot run containers, throws with the packages to install. */
export async function openPodman(): Promise<Engine> {
  const missing: string[] = [];
  for (const name of programs) {
    const { code } = await runProgram("sh", ["-c", `command -v ${name}`], process.env);
    if (code !== 0) missing.push(name);
  }
  if (missing.length > 0 || process.getuid?.() !== 0)
    throw new Error(
      `The tests of containers need root and ${programs.join(", ")} (missing: ${missing.join(", ") || "root"}). On Debian: ` +
        "apt-get install --no-install-recommends podman runc debootstrap",
    );
  await mkdir(containersCache, { recursive: true });
  const [containers, storage] = [join(containersCache, "containers.conf"), join(containersCache, "storage.conf")];
  const folders = `graphroot = "${join(containersCache, "store")}"\nrunroot = "${join(containersCache, "run")}"\n`;
  await writeFile(containers, configuration);
  await writeFile(storage, `[storage]\ndriver = "overlay"\n${folders}`);
  const env = { ...process.env, CONTAINERS_CONF: containers, CONTAINERS_STORAGE_CONF: storage };
  const attempt: TryPodman = (...args) => runProgram("podman", args, env);
  return {
    env,
    attempt,
    async podman(...args) {
      const { code, stdout, stderr } = await attempt(...args);
      if (code !== 0) throw new Error(`podman ${args[0]} failed (${code}): ${stderr.slice(-4_000)}`);
      return stdout.trim();
    },
  };
}

function runProgram(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Output> {
  return promisify(execFile)(program, args, { env, maxBuffer: 256 * 1024 ** 2 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Error & { code?: number | string; stdout?: string; stderr?: string }) => ({
      code: typeof error.code === "number" ? error.code : 1,
      stdout: error.stdout ?? "",
      stderr: error.stderr ?? error.message,
    }),
  );
}
