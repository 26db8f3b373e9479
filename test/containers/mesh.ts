// The product's processes as containers of one image: read-only, as the image's user, without capabilities, on the
// host's loopback addresses, with the environment of the compose file.

import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { freePort } from "@ems/dev/free-port";
import { type Compose, environmentHere, type Neighbors } from "../harness/compose.ts";
import type { Engine, Output } from "./podman.ts";

/** Options like x-container of compose.yaml, without Podman's additional writable folders. */
const restricted = [
  ...["--network", "host", "--read-only", "--read-only-tmpfs=false", "--cap-drop", "all"],
  ...["--security-opt", "no-new-privileges", "--pids-limit", "512", "--memory", "512m"],
];
/** Label of all containers of the tests. */
const label = "ems-test";
/** A busy machine starts eight processes slowly. */
const readyMs = 300_000;
const pollMs = 200;

/** Exit of a container, and the time it took. */
export interface Stopped {
  readonly name: ProcessName;
  readonly code: number;
  readonly ms: number;
}

export class ContainerMesh {
  readonly ports: Partial<Record<ProcessName, number>> = {};
  readonly #engine: Engine;
  readonly #image: string;
  readonly #compose: Compose;
  readonly #folder: string;
  readonly #servers: Omit<Neighbors, "ports">;

  constructor(engine: Engine, image: string, compose: Compose, folder: string, servers: Omit<Neighbors, "ports">) {
    this.#engine = engine;
    this.#image = image;
    this.#compose = compose;
    this.#folder = folder;
    this.#servers = servers;
  }

  /** Removes containers of an earlier run, and prepares the files that containers mount. */
  async prepare(): Promise<void> {
    await this.remove();
    await mkdir(this.#folder, { recursive: true });
    await writeFile(join(this.#folder, "mail.crt"), rootCertificates[0] ?? "");
    await copyFile(join(import.meta.dirname, "../../deploy/compose.callers.yaml"), join(this.#folder, "callers.yaml"));
  }

  /** Runs a command of the image until it exits. */
  async job(...command: string[]): Promise<Output> {
    const env = await this.#environmentFile(command[0] === "ems" ? "migrate" : (command[0] ?? ""), {});
    return this.#engine.attempt("run", "--rm", "--no-healthcheck", ...this.#options(env), this.#image, ...command);
  }

  /** Starts every process, callees first, and waits until the image's own health check succeeds for each. */
  async start(): Promise<void> {
    for (const name of processNames) {
      const [port, adminPort] = [await freePort(), await freePort()];
      const listening = name === "gateway" ? { PORT: `${port}` } : { RPC_PORT: `${port}` };
      const env = await this.#environmentFile(name, { ...listening, ADMIN_PORT: `${adminPort}` });
      await this.#engine.podman("run", "--detach", "--name", name, ...this.#options(env), this.#image, name);
      this.ports[name] = port;
    }
    for (const name of processNames) await this.healthy(name);
  }

  /** Waits until the health check of the image succeeds in the container. */
  async healthy(name: ProcessName): Promise<void> {
    for (const untilMs = performance.now() + readyMs; ; ) {
      const { code } = await this.#engine.attempt("healthcheck", "run", name);
      if (code === 0) return;
      const isRunning = (await this.#engine.podman("inspect", "--format", "{{.State.Running}}", name)) === "true";
      if (!isRunning || performance.now() > untilMs) throw new Error(`${name} is not healthy: ${await this.log(name)}`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  async log(name: ProcessName): Promise<string> {
    const { stdout, stderr } = await this.#engine.attempt("logs", "--tail", "50", name);
    return stdout + stderr;
  }

  /** Kills the container's process with SIGKILL. */
  async kill(name: ProcessName): Promise<void> {
    await this.#engine.podman("kill", "--signal", "KILL", name);
    await this.#engine.podman("wait", name);
  }

  async restart(name: ProcessName): Promise<void> {
    await this.#engine.podman("start", name);
    await this.healthy(name);
  }

  /** Sends the image's stop signal, and waits for the end. */
  async stop(name: ProcessName): Promise<Stopped> {
    const signal = await this.#engine.podman("image", "inspect", "--format", "{{.Config.StopSignal}}", this.#image);
    const startedMs = performance.now();
    await this.#engine.podman("kill", "--signal", signal, name);
    const code = Number(await this.#engine.podman("wait", name));
    return { name, code, ms: Math.round(performance.now() - startedMs) };
  }

  /** Returns what /proc reports about the container's process. */
  async kernelFacts(name: ProcessName): Promise<Readonly<Record<string, string>>> {
    const pid = await this.#engine.podman("inspect", "--format", "{{.State.Pid}}", name);
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Object.fromEntries(
      [...status.matchAll(/^(\w+):\s+(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]),
    );
  }

  async remove(): Promise<void> {
    const found = (await this.#engine.podman("ps", "--all", "--quiet", "--filter", `label=${label}`)).split("\n");
    const ids = found.filter(Boolean);
    if (ids.length > 0) await this.#engine.podman("rm", "--force", ...ids);
  }

  #options(env: string): string[] {
    const mounts = ["callers.yaml:/etc/ems/callers.yaml", "mail.crt:/certificates/mail.crt"];
    return [
      ...["--label", label, ...restricted, "--env-file", env],
      ...mounts.flatMap((mount) => ["--volume", `${join(this.#folder, mount)}:ro`]),
    ];
  }

  async #environmentFile(name: string, own: Readonly<Record<string, string>>): Promise<string> {
    const env = { ...environmentHere(this.#compose, name, { ...this.#servers, ports: this.ports }), ...own };
    const path = join(this.#folder, `${name}.env`);
    const text = Object.entries(env).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(path, text.join(""), { mode: 0o600 });
    return path;
  }
}
