// A Kubernetes API server and etcd on this machine, built from their Go modules on first use (six minutes on two cores,
// 1 GB of module cache). go.mod in this folder pins their versions.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { freePort } from "@ems/dev/free-port";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { until } from "@ems/dev/until";
import { loadProgram, newestHelm } from "@ems/release/helm";

const run = promisify(execFile);
const cache = join(import.meta.dirname, "../../../node_modules/.cache/api-server");

export interface ApiServer {
  readonly kubeconfig: string;
  /** Returns what kubectl prints. */
  kubectl(...args: string[]): Promise<string>;
  /** Server-side apply; a warning of kubectl is an error. */
  apply(...objects: readonly object[]): Promise<void>;
  stop(): Promise<void>;
}

async function build(name: string, path: string, version: string): Promise<string> {
  const binary = join(cache, `${name}-${version}`);
  const isBuilt = await access(binary).then(
    () => true,
    () => false,
  );
  if (isBuilt) return binary;
  await mkdir(cache, { recursive: true });
  const of = "k8s.io/component-base/version";
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  const flags = `-s -w -X ${of}.gitVersion=${version} -X ${of}.gitMajor=${major} -X ${of}.gitMinor=${minor}`;
  await run("go", ["build", "-C", import.meta.dirname, "-ldflags", flags, "-o", binary, path]);
  return binary;
}

export async function startApiServer(): Promise<ApiServer> {
  const modules = await readFile(join(import.meta.dirname, "go.mod"), "utf8");
  const [, version = ""] = /k8s\.io\/kubernetes (v[\d.]+)/.exec(modules) ?? [];
  const [etcd, server] = [await build("etcd", "./etcd", version), await build("kube-apiserver", ".", version)];
  const folder = await temporaryDir("ems-api-server-");
  const [clients, peers, port] = [await freePort(), await freePort(), await freePort()];
  const token = crypto.randomUUID();
  await writeFile(join(folder, "tokens.csv"), `${token},admin,1,"system:masters"\n`);
  const key = join(folder, "accounts.key");
  await run("openssl", ["genrsa", "-out", key, "2048"]);
  const children = [
    spawn(etcd, [
      ...["--data-dir", join(folder, "etcd"), "--log-level", "error", "--unsafe-no-fsync"],
      ...[
        "--listen-client-urls",
        `http://127.0.0.1:${clients}`,
        "--advertise-client-urls",
        `http://127.0.0.1:${clients}`,
      ],
      ...[
        "--listen-peer-urls",
        `http://127.0.0.1:${peers}`,
        "--initial-advertise-peer-urls",
        `http://127.0.0.1:${peers}`,
      ],
      ...["--initial-cluster", `default=http://127.0.0.1:${peers}`],
    ]),
    spawn(server, [
      ...["--etcd-servers", `http://127.0.0.1:${clients}`, "--cert-dir", join(folder, "certificates")],
      ...[
        "--bind-address",
        "127.0.0.1",
        "--secure-port",
        String(port),
        "--token-auth-file",
        join(folder, "tokens.csv"),
      ],
      // IPv4 and IPv6, since a Service may request both.
      ...["--service-cluster-ip-range", "10.96.0.0/16,fd00:10:96::/112", "--authorization-mode", "RBAC"],
      ...["--service-account-issuer", "https://kubernetes.default", "--service-account-key-file", key],
      ...["--service-account-signing-key-file", key],
    ]),
  ];
  for (const { stdout, stderr } of children) for (const stream of [stdout, stderr]) stream.resume();
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    "certificate-authority": join(folder, "certificates/apiserver.crt"),
  };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "it", cluster }],
    users: [{ name: "it", user: { token } }],
    contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
    "current-context": "it",
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const program = await loadProgram(newestHelm, "kubectl");
  const env = { KUBECONFIG: kubeconfig, HOME: folder };
  const kubectl = async (...args: string[]) => (await run(program, args, { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  const isReady = async () => (await kubectl("get", "--raw", "/readyz").catch(() => "")) === "ok";
  if (!(await until(isReady, 120_000))) throw new Error("The API server was not ready within two minutes.");
  return {
    kubeconfig,
    kubectl,
    async apply(...objects) {
      const list = { apiVersion: "v1", kind: "List", items: objects };
      const options = ["apply", "--server-side", "--force-conflicts", "--validate=strict", "-f", "-"];
      const child = spawn(program, options, { env });
      child.stdin.end(JSON.stringify(list));
      const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close"), text(child.stdout)]);
      if (code !== 0 || errors !== "") throw new Error(errors);
    },
    async stop() {
      for (const child of children.toReversed()) {
        if (child.exitCode !== null) continue;
        child.kill();
        await once(child, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
