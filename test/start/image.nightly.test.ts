// The image's content, tested without an engine: the file tree that the Dockerfile copies is built from a build
// context, and the product starts in it with the compose file's environment, entry point and user. As root, processes
// see only that tree (chroot) and the C and C++ libraries of the image's base; otherwise, the files are read-only files
// of the current user.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import { promisify } from "node:util";
import { commands } from "@ems/deploy/commands";
import { mesh, type ProcessName, processNames } from "@ems/deploy/mesh";
import { meshUsers, natsConfiguration } from "@ems/deploy/nats-users";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { imageEnvironment } from "@ems/image/environment";
import type { Listening } from "@ems/kit/lifecycle";
import { formatPackage, imageSbom } from "@ems/release/sbom";
import { DockerfileParser } from "dockerfile-ast";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { layOutContext } from "../harness/build-context.ts";
import { type Compose, composeEnvironment, environmentHere, readCompose } from "../harness/compose.ts";

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
/** Libraries of the image's base, and libatomic, which the Dockerfile adds. */
const baseLibraries = /^(lib(c|m|dl|pthread|rt|stdc\+\+|gcc_s|atomic)|ld-linux[\w-]*)\.so/;

let directory: string;
let tree: string;
let postgres: EmbeddedPostgres;
let nats: NatsServer;
let compose: Compose;
let before: string[];
/** Source files of the bundles. */
let sources: string[];
let entry: string[];
let inImage: Record<string, string>;

beforeAll(async () => {
  directory = await temporaryDir("ems-test-image-");
  tree = join(directory, "image");
  const secrets = await composeEnvironment();
  [compose, inImage] = [await readCompose(secrets), await imageEnvironment()];
  const dockerfile = DockerfileParser.parse(
    await readFile(join(import.meta.dirname, "../../deploy/Dockerfile"), "utf8"),
  );
  entry = JSON.parse(dockerfile.getENTRYPOINTs().at(-1)?.getArgumentsContent() ?? "[]");
  const access = natsConfiguration(meshUsers, (user) =>
    JSON.stringify(secrets[`NATS_${user.toUpperCase()}_PASSWORD`] ?? ""),
  );
  [postgres, nats, sources] = await Promise.all([
    startEmbeddedPostgres({ dataDir: join(directory, "postgres"), volatile: true }),
    startNatsServer({ binary: inject("natsServer"), dir: join(directory, "nats"), access }),
    buildFromContext(),
  ]);
  // These files stand in for the volumes.
  await mkdir(join(tree, "certificates"));
  await writeFile(join(tree, "certificates/mail.crt"), rootCertificates[0] ?? "");
  await mkdir(join(tree, "etc/ems"), { recursive: true });
  await copyFile(join(import.meta.dirname, "../../deploy/compose.callers.yaml"), join(tree, "etc/ems/callers.yaml"));
  if (isRoot) await addLibraries();
  else await run("chmod", ["-R", "a-w", tree]);
  before = await listing();
});

afterAll(async () => {
  await nats?.stop();
  await postgres?.stop();
  if (!isRoot) await run("chmod", ["-R", "u+w", tree]);
  await rm(directory, { recursive: true, force: true });
});

/** Builds the tree as the Dockerfile does; returns the paths of its sources. */
async function buildFromContext(): Promise<string[]> {
  const context = join(directory, "context");
  await layOutContext(context);
  const script = `const { buildImage } = await import("./deploy/image/build.ts");
    process.stdout.write(JSON.stringify(await buildImage(process.argv[1])));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script, tree], { cwd: context });
  // Links lead to packages outside the context.
  return (JSON.parse(stdout) as string[]).map((file) => file.replace(/^.*?(?=node_modules\/\.pnpm\/)/, ""));
}

/** Adds the libraries of the image's base, and checks that Node is linked to no others. */
async function addLibraries(): Promise<void> {
  const { stdout } = await run("ldd", [join(tree, "usr/local/bin/node")]);
  const paths = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  expect(paths.map((path) => basename(path)).filter((name) => !baseLibraries.test(name))).toEqual([]);
  for (const path of paths) {
    await mkdir(join(tree, dirname(path)), { recursive: true });
    await copyFile(path, join(tree, path));
  }
  await chmod(tree, 0o755);
}

/** Lists every file of the tree with its size and modification time. */
async function listing(): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = await stat(path);
    lines.push(`${path} ${size} ${mtimeMs}`);
  }
  return lines.sort();
}

/** Starts a command of the image as an engine would. */
function start(command: string[], env: Record<string, string>) {
  const words = isRoot
    ? ["chroot", "--userspec=65532:65532", tree, ...entry, ...command]
    : [...entry.map((word) => word.replace(/^(?=\/)/, tree)), ...command];
  const paths = Object.entries({ ...inImage, ...env });
  const placed = paths.map(([name, value]) => [name, isRoot ? value : value.replace(/^(?=\/)/, tree)]);
  const child = spawn(words[0] ?? "", words.slice(1), {
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...Object.fromEntries(placed) },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    cwd: "/",
  });
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const listening = once(child, "message").then(([message]) => message as Listening);
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, stdout, stderr }));
  return { child, listening, ended };
}

/** Returns the environment of the service in the compose file. */
function getEnvironment(name: string, ports: Partial<Record<ProcessName, number>> = {}): Record<string, string> {
  return environmentHere(compose, name, { postgresUrl: postgres.url, natsPort: nats.port, ports });
}

async function job(name: string, ...options: string[]) {
  const { code, stdout, stderr } = await start([name, ...options], getEnvironment(name)).ended;
  expect(code, stderr).toBe(0);
  return stdout;
}

test("the tree holds bundles, their licenses and Node", async () => {
  const files = before.map((line) => line.slice(tree.length, line.indexOf(" ")));
  const expected =
    /^\/app\/((chunks|deploy|gateway|services)\/.*\.js|gateway\/console\/dist\/(index\.html|console\/assets\/[^/]+\.(js|css|svg)(\.br|\.gz)?)|\.compile-cache\/.*|package\.json|THIRD-PARTY-LICENSES|deploy\/compose\.env\.example|services\/\w+\/(schema\.txt|src\/.*\.sql))$/;
  const unexpected = files.filter((file) => !expected.test(file) && !baseLibraries.test(basename(file)));
  expect(unexpected.sort()).toEqual(["/certificates/mail.crt", "/etc/ems/callers.yaml", "/usr/local/bin/node"]);
  const notes = await readFile(join(import.meta.dirname, "../../deploy/helm/ems/templates/NOTES.txt"), "utf8");
  expect(files).toContain(/import\("(.+)"\)/.exec(notes)?.[1]);
  for (const { module } of Object.values(commands)) expect(files).toContain(`/app/${module.replace(/\.ts$/, ".js")}`);
});

test("the bill of materials has each library of the bundles and of the console, with its version and digest", async () => {
  const licenses = await readFile(join(tree, "app/THIRD-PARTY-LICENSES"), "utf8");
  const { bomFormat, components, dependencies } = await imageSbom(licenses, join(directory, "bill.json"));
  expect(bomFormat).toBe("CycloneDX");
  const names = components.map(formatPackage);
  expect(new Set(names).size).toBe(names.length);
  // Folders of pnpm's store: `fastify@5.10.0_…/node_modules/fastify/`.
  const used = sources.flatMap((file) => {
    const [, version = "", name = ""] =
      /\.pnpm\/(?:@?[\w.+-]+?)@(\d[^/_(]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
    return name === "" ? [] : [`${name} ${version}`];
  });
  expect(used.length).toBeGreaterThan(50);
  expect([...new Set(used)].filter((name) => !names.includes(name))).toEqual([]);
  for (const name of ["fastify", "react", "@mantine/core"])
    expect(names).toContainEqual(expect.stringMatching(new RegExp(`^${name} \\d`)));
  expect(names.filter((name) => /^(vitest|typescript|fast-check|esbuild) /.test(name))).toEqual([]);
  expect(JSON.stringify(components).match(/"alg":"SHA-512"/g)?.length).toBe(components.length);
  expect(dependencies.length).toBe(components.length + 1);
});

test("no test, no fixture and nothing that only development needs is in the bundles", () => {
  const stray =
    /\.test\.ts$|^test\/|^deploy\/(dev|image|helm)\/|^(?!node_modules).*\/(test|testing|oracle)\/|-(fixture|arbitrary)\.ts$|\.pnpm\/(vitest|typescript|esbuild|fast-check|@biomejs|@embedded)/;
  expect(sources.filter((file) => stray.test(file))).toEqual([]);
  expect(sources).toContain("services/identity/src/main.ts");
});

test("all eight processes become ready and healthy, write and read files, and nothing is written into the tree", async () => {
  await job("prepare");
  await job("migrate");
  // The containers run these jobs at every start.
  await job("prepare");
  expect(await start(["ems", "migrate"], getEnvironment("migrate")).ended).toMatchObject({ code: 0 });
  const { apiKey, applicationId } = JSON.parse(await job("bootstrap", "--json"));

  const ports: Partial<Record<ProcessName, number>> = {};
  const processes: ReturnType<typeof start>[] = [];
  let gatewayUrl = "";
  try {
    for (const name of processNames) {
      const started = start([name], getEnvironment(name, ports));
      processes.push(started);
      const listening = await Promise.race([
        started.listening,
        started.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
      ]);
      ports[name] = listening.port;
      const adminPort = new URL(listening.adminUrl).port;
      const { code } = await start(["healthy"], { ADMIN_PORT: adminPort }).ended;
      expect(`${name} ${code}`).toBe(`${name} 0`);
    }
    gatewayUrl = `http://127.0.0.1:${ports.gateway}`;
    const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
    const request = { method: "POST", headers, body: '{"title":"From the image"}' };
    const answer = await fetch(`${gatewayUrl}/v0/topics`, request);
    expect(answer.status).toBe(201);
    // Worker threads read files and search long answers; their modules are separate files.
    const trial = {
      type: "OUTPUT_MATCH",
      globalConfig: { type: "string", extract: { pattern: "[a-z]+(b)$", flags: "", group: 1 } },
      answer: `${"a".repeat(100_000)}b`,
      expected: "b",
    };
    const tried = await fetch(`${gatewayUrl}/v0/definitions/try`, { ...request, body: JSON.stringify(trial) });
    expect(await tried.json()).toMatchObject({ data: { passed: true } });
    const body = JSON.stringify({ format: "CSV", content: "title\nFrom the image" });
    expect((await fetch(`${gatewayUrl}/v0/tasks/import`, { ...request, body })).status).toBe(200);
    const form = new FormData();
    form.append("file", new File(["a,b\n1,2"], "Fees.csv"));
    const upload = { method: "POST", headers: { "x-api-key": apiKey, "x-application-id": applicationId }, body: form };
    expect((await fetch(`${gatewayUrl}/v0/documents/upload`, upload)).status).toBe(201);
    expect((await fetch(`${gatewayUrl}/docs`)).status).toBe(200);
    const page = await (await fetch(gatewayUrl)).text();
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(`${gatewayUrl}${script}`)).headers.get("cache-control")).toContain("immutable");
  } finally {
    for (const { child } of [...processes].reverse()) child.kill("SIGTERM");
  }
  const ends = await Promise.all(processes.map(({ ended }) => ended));
  expect(ends.map(({ code }) => code)).toEqual(Object.keys(mesh).map(() => 0));
  expect(await listing()).toEqual(before);
});

test("a command that is none, or lacks what it needs, is refused in one sentence; without a process nothing is healthy", async () => {
  const none = await start(["nothing"], {}).ended;
  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Unknown command "nothing"\. One of: identity, .*\n$/),
  });
  const migrate = await start(["migrate"], {}).ended;
  expect(migrate).toMatchObject({ code: 2, stderr: "migrate requires OWNER_DATABASE_URL.\n" });
  expect(await start(["ems", "--help"], {}).ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("doctor"),
  });
  expect(await start(["healthy"], { ADMIN_PORT: "1" }).ended).toMatchObject({ code: 1 });
});
