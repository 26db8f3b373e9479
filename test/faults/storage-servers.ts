// Real S3 servers, built from their Go modules: versitygw, and SeaweedFS.

import { execFile } from "node:child_process";
import { access, cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@ems/dev/free-port";
import { cache } from "../harness/debian.ts";
import { readStatus, ready, type Server, startServer } from "../harness/patroni/server.ts";

const run = promisify(execFile);

export const storageKey = { accessKeyId: "testkey", secretAccessKey: "testsecret" };
/** A user of versitygw without rights. */
export const readerKey = { accessKeyId: "reader", secretAccessKey: "readersecret" };

export type ServerName = "versitygw" | "seaweedfs";

interface Kind {
  readonly module: string;
  readonly version: string;
  /** Folder of the program's package in the module. */
  readonly main: string;
  /** Port, if a free one does not do. */
  readonly port?: number;
  start(program: string, folder: string, port: number): Promise<Server>;
}

const kinds: Readonly<Record<ServerName, Kind>> = {
  versitygw: {
    module: "github.com/versity/versitygw",
    version: "v1.8.0",
    main: "./cmd/versitygw",
    async start(program, folder, port) {
      for (const name of ["data", "meta", "iam"]) await mkdir(join(folder, name), { recursive: true });
      const { accessKeyId, secretAccessKey } = storageKey;
      const env = { ...process.env, ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey };
      const own = ["--port", `127.0.0.1:${port}`, "--health", "/health", "--quiet", "--iam-dir", join(folder, "iam")];
      const posix = ["posix", "--sidecar", join(folder, "meta"), join(folder, "data")];
      const server = startServer([program, ...own, ...posix], { env });
      await ready(server, async () => (await readStatus(`http://127.0.0.1:${port}/health`)) === 200);
      const reader = ["--access", readerKey.accessKeyId, "--secret", readerKey.secretAccessKey, "--role", "user"];
      const admin = ["--access", accessKeyId, "--secret", secretAccessKey];
      const endpoint = ["--endpoint-url", `http://127.0.0.1:${port}`];
      // After a restart the user exists.
      await run(program, ["admin", ...admin, ...endpoint, "create-user", ...reader]).catch(() => undefined);
      return server;
    },
  },
  seaweedfs: {
    module: "github.com/seaweedfs/seaweedfs",
    version: "v0.0.0-20261109003541-7506e5f91cd6",
    main: "./weed",
    // The port for gRPC is 10,000 above, which most free ports do not allow.
    port: 18_333,
    async start(program, folder, port) {
      await mkdir(join(folder, "data"), { recursive: true });
      const { accessKeyId: accessKey, secretAccessKey: secretKey } = storageKey;
      const identities = [{ name: "admin", credentials: [{ accessKey, secretKey }], actions: ["Admin"] }];
      await writeFile(join(folder, "s3.json"), JSON.stringify({ identities }));
      // Each port has another one for gRPC, 10,000 above.
      const [master, volume, filer] = [19_333, 18_080, 18_888];
      const server = startServer([
        program,
        "server",
        ...["-ip=127.0.0.1", "-ip.bind=127.0.0.1", `-dir=${join(folder, "data")}`, `-master.port=${master}`],
        ...[`-volume.port=${volume}`, "-filer", `-filer.port=${filer}`, "-s3", `-s3.port=${port}`],
        ...["-s3.port.iceberg=0", `-s3.config=${join(folder, "s3.json")}`, "-master.volumeSizeLimitMB=256"],
      ]);
      await ready(server, async () => (await readStatus(`http://127.0.0.1:${port}/status`)) !== 0);
      return server;
    },
  },
};

/** Builds the server's program once; Go downloads the module. */
async function build(name: ServerName): Promise<string> {
  const { module, version, main } = kinds[name];
  const program = join(cache, `${name}-${version}-${process.arch}`);
  if (
    await access(program).then(
      () => true,
      () => false,
    )
  )
    return program;
  const { stdout } = await run("go", ["mod", "download", "-json", `${module}@${version}`], { maxBuffer: 1024 ** 2 });
  const folder = await mkdtemp(join(tmpdir(), `ems-test-${name}-`));
  try {
    await cp(JSON.parse(stdout).Dir, folder, { recursive: true });
    await run("chmod", ["-R", "u+w", folder]);
    const built = join(folder, "program");
    const args = ["build", "-ldflags", "-s -w", "-o", built, main];
    await run("go", args, { cwd: folder, env: { ...process.env, CGO_ENABLED: "0" }, maxBuffer: 16 * 1024 ** 2 });
    await mkdir(cache, { recursive: true });
    // Renamed when complete: a concurrent test process may build the same program.
    await cp(built, `${program}.${process.pid}`);
    await rename(`${program}.${process.pid}`, program);
    return program;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface StorageServer {
  readonly port: number;
  stop(): Promise<void>;
  /** Starts it again, with its data. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startStorageServer(name: ServerName): Promise<StorageServer> {
  const program = await build(name);
  const folder = await mkdtemp(join(tmpdir(), `ems-test-${name}-`));
  const port = kinds[name].port ?? (await freePort());
  let server: Server | undefined;
  const start = async () => {
    server = await kinds[name].start(program, folder, port);
  };
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  await start();
  return {
    port,
    start,
    stop,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
