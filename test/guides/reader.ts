// Follows guides in a fresh clone with only Node and npm: in one terminal for commands, and one per service.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, rm } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { matches, type Step } from "./guide.ts";

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, "../..");
const commandMs = 180_000;
const endMark = "-- end of the step:";

/** Environment variables that configure the machine's network access. */
const isOfNetwork =
  /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|requests_ca_bundle|pip_\w+|npm_config_(registry|cafile|(https_)?proxy))$/i;
const network = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (isOfNetwork.test(name) && value ? [[name, value]] : [])),
);

export interface Ports {
  readonly api: number;
  readonly receiver: number;
}

export interface Reader {
  readonly clone: string;
  /** Follows the steps in one terminal; rejects at the first that fails or prints another output. */
  follow(steps: readonly Step[]): Promise<void>;
  leave(): Promise<void>;
}

export async function newReader(ports: Ports): Promise<Reader> {
  const home = await temporaryDir("ems-guides-");
  const clone = join(home, "ems");
  await run("git", ["clone", "--quiet", repository, clone]);
  /** Running services, such as the product. */
  const services: Service[] = [];
  /** Values with which this reader replaces the guide's placeholders. */
  const own = new Map([
    ["127.0.0.1:3000", `127.0.0.1:${ports.api}`],
    ["127.0.0.1:8080", `127.0.0.1:${ports.receiver}`],
    ["/tmp/", `${home}/`],
  ]);
  const env = {
    ...network,
    HOME: process.env.HOME ?? home,
    PATH: await pathOfNpm(),
    LANG: "C.UTF-8",
    CONSOLE: "off",
    NATS_SERVER: "none",
    npm_config_update_notifier: "false",
  };
  const filled = (text: string) => {
    let script = text;
    for (const [placeholder, value] of own) script = script.replaceAll(placeholder, value);
    if (script.includes("…")) throw new Error(`nothing fills in what the guide leaves open: ${script}`);
    return script;
  };

  async function serve(script: string) {
    const service = await startService(script, clone, { ...env, PORT: String(ports.api), GRPC_PORT: "0" });
    services.push(service);
    const key = /^ *API key +(ems_\S+)$/m.exec(service.printed())?.[1];
    const applicationId = /^ *Application id +(\S+)$/m.exec(service.printed())?.[1];
    if (key !== undefined) own.set("EMS_API_KEY=ems_…", `EMS_API_KEY=${key}`);
    if (applicationId !== undefined) own.set("EMS_APPLICATION_ID=…", `EMS_APPLICATION_ID=${applicationId}`);
  }

  return {
    clone,
    async follow(steps) {
      const terminal = openTerminal(clone, { ...env, PORT: String(ports.receiver) });
      try {
        for (const { kind, script, output } of steps) {
          if (kind === "stop") await services.pop()?.stop();
          else if (kind === "service") await serve(filled(script));
          else await terminal.run(filled(script), output);
        }
      } finally {
        terminal.close();
      }
    },
    async leave() {
      for (const service of services.splice(0).reverse()) await service.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Returns a PATH with the machine's npm and the system's commands, without this repository's packages. */
async function pathOfNpm(): Promise<string> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (folder.startsWith(repository) || folder.includes("node_modules")) continue;
    const hasNpm = await access(join(folder, "npm")).then(
      () => true,
      () => false,
    );
    if (hasNpm) return [...new Set([folder, "/usr/local/bin", "/usr/bin", "/bin"])].join(delimiter);
  }
  return [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
}

function openTerminal(cwd: string, env: Record<string, string>) {
  const shell = spawn("bash", ["--noprofile", "--norc"], { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  let [stdout, stderr] = ["", ""];
  let heard = () => {};
  shell.stdout.on("data", (chunk) => {
    stdout += chunk;
    heard();
  });
  shell.stderr.on("data", (chunk) => (stderr += chunk));
  shell.stdin.write("set -o pipefail; trap 'failed=$?' ERR\n");
  return {
    async run(script: string, output: string | undefined) {
      [stdout, stderr] = ["", ""];
      const ended = new Promise<number>((done, fail) => {
        const late = setTimeout(() => fail(new Error(`not done in time: ${script}\n${stdout}${stderr}`)), commandMs);
        heard = () => {
          const code = new RegExp(`${endMark} (\\d+)\\n`).exec(stdout)?.[1];
          if (code === undefined) return;
          clearTimeout(late);
          done(Number(code));
        };
      });
      shell.stdin.write(`failed=0\n${script}\nprintf '\\n%s %s\\n' '${endMark}' "$failed"\n`);
      const code = await ended;
      const printed = stdout.slice(0, stdout.lastIndexOf(endMark)).trimEnd();
      if (code !== 0) throw new Error(`exit ${code}: ${script}\n${printed}\n${stderr}`);
      if (output !== undefined && !matches(printed, output))
        throw new Error(`${script}\nprints\n${printed}\n${stderr}\nbut the guide shows\n${output}`);
    },
    /** Kills the shell and its background processes. */
    close: () => void (shell.pid !== undefined && process.kill(-shell.pid, "SIGKILL")),
  };
}

interface Service {
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a service as in another terminal; it prints that it is ready. */
async function startService(script: string, cwd: string, env: Record<string, string>): Promise<Service> {
  const child: ChildProcess = spawn("bash", ["--noprofile", "--norc", "-c", `exec ${script}`], { cwd, env });
  let printed = "";
  const ended = once(child, "close");
  await new Promise<void>((ready, fail) => {
    const late = setTimeout(() => fail(new Error(`not ready in time: ${script}\n${printed}`)), commandMs);
    const hear = (chunk: unknown) => {
      printed += String(chunk);
      if (!/is ready/.test(printed)) return;
      clearTimeout(late);
      // Output shortly afterwards belongs to the start, too.
      setTimeout(ready, 200);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", (chunk) => (printed += String(chunk)));
    void ended.then(() => fail(new Error(`ended before it was ready: ${script}\n${printed}`)));
  });
  return {
    printed: () => printed,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
}
