// The image that deploy/Dockerfile builds from a clean clone, run by a real container engine.

import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { processNames } from "@ems/deploy/mesh";
import { meshUsers, natsConfiguration } from "@ems/deploy/nats-users";
import { type NatsServer, startNatsServer } from "@ems/dev/nats-server";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@ems/dev/postgres";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFiles } from "../harness/build-context.ts";
import { composeEnvironment, readCompose } from "../harness/compose.ts";
import { natsServerBinary } from "../harness/nats.ts";
import { baseImages, makeBaseImages } from "./bases.ts";
import { ContainerMesh } from "./mesh.ts";
import { type Engine, openPodman } from "./podman.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const image = "localhost/ems-test/ems:clean";
/** The image had 199 MB at the time of writing, 128 MB of it for Node. */
const imageBytesMax = 225_000_000;
/** A shutdown takes less time than this (services/kit/src/lifecycle.ts). */
const stopMsMax = 20_000;

let engine: Engine;
let directory: string;
let clone: string;
let postgres: EmbeddedPostgres;
let nats: NatsServer;
let mesh: ContainerMesh;
const figures: Record<string, unknown> = {};

async function timed<T>(figure: string, work: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work;
  figures[figure] = `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`;
  return result;
}

beforeAll(async () => {
  engine = await openPodman();
  directory = await temporaryDir("ems-test-containers-");
  clone = join(directory, "clone");
  await run("git", ["clone", "--quiet", root, clone]);
  await timed("base images", makeBaseImages(engine));
  const args = Object.entries(baseImages).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
  const dockerfile = join(clone, "deploy/Dockerfile");
  const options = ["--network", "host", "--format", "docker", ...args, "--file", dockerfile];
  await timed("build", engine.podman("build", ...options, "--tag", image, clone));

  const secrets = await composeEnvironment();
  const access = natsConfiguration(meshUsers, (user) =>
    JSON.stringify(secrets[`NATS_${user.toUpperCase()}_PASSWORD`] ?? ""),
  );
  [postgres, nats] = await Promise.all([
    startEmbeddedPostgres({ dataDir: join(directory, "postgres"), volatile: true }),
    startNatsServer({ binary: await natsServerBinary(), dir: join(directory, "nats"), access }),
  ]);
  const servers = { postgresUrl: postgres.url, natsPort: nats.port };
  mesh = new ContainerMesh(engine, image, await readCompose(secrets), join(directory, "mounted"), servers);
  await mesh.prepare();
}, 1_800_000);

afterAll(async () => {
  process.stderr.write(`containers: ${JSON.stringify(figures)}\n`);
  await mesh?.remove();
  await nats?.stop();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Lists every path of the image with mode, owner and size, as printed by `tar --list --verbose`. */
async function listing(): Promise<{ mode: string; owner: string; path: string }[]> {
  const name = "ems-test-listing";
  await engine.attempt("rm", "--force", name);
  await engine.podman("create", "--name", name, image);
  const piped = `podman export ${name} | tar --list --verbose --numeric-owner --file -`;
  const { stdout } = await run("bash", ["-o", "pipefail", "-c", piped], { env: engine.env, maxBuffer: 64 * 1024 ** 2 });
  await engine.podman("rm", name);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [mode = "", owner = "", , , , ...rest] = line.split(/\s+/);
      return { mode, owner, path: `/${rest.join(" ").replace(/ -> .*/, "")}` };
    });
}

test("the engine sends the files that the fast test of the build context computes", async () => {
  const containerfile = join(directory, "Context");
  await writeFile(containerfile, "FROM scratch\nCOPY . /context/\n");
  const [ignore, tag] = [join(clone, "deploy/Dockerfile.dockerignore"), "localhost/ems-test/context"];
  await engine.podman("build", "--quiet", "--ignorefile", ignore, "--file", containerfile, "--tag", tag, clone);
  const mounted = await engine.podman("image", "mount", tag);
  const { stdout } = await run("find", [join(mounted, "context"), "!", "-type", "d", "-printf", "%P\\n"], {
    maxBuffer: 64 * 1024 ** 2,
  });
  await engine.podman("image", "unmount", tag);
  await engine.podman("rmi", "--force", tag);
  const committed = new Set(
    (await run("git", ["ls-files"], { cwd: clone, maxBuffer: 64 * 1024 ** 2 })).stdout.split("\n"),
  );
  const expected = (await contextFiles()).filter((file) => committed.has(file));
  expect(stdout.split("\n").filter(Boolean).sort()).toEqual(expected.sort());
});

test("the image is small, and says how it is run", async () => {
  const [facts] = JSON.parse(await engine.podman("image", "inspect", image));
  figures.size = `${Math.round(facts.Size / 1e6)} MB`;
  expect(facts.Size).toBeLessThan(imageBytesMax);
  expect(facts.Config).toMatchObject({
    User: "65532:65532",
    StopSignal: "SIGTERM",
    Entrypoint: ["/usr/local/bin/node", "/app/deploy/main.js"],
    Labels: { "org.opencontainers.image.licenses": "Apache-2.0" },
  });
  expect(facts.Healthcheck ?? facts.Config.Healthcheck).toMatchObject({
    Test: expect.arrayContaining([expect.stringContaining("healthy")]),
  });
});

test("nothing of tests, history, secrets, development or a shell is in it, and its user can change nothing", async () => {
  const files = await listing();
  expect(files.map(({ path }) => path)).toContain("/app/deploy/main.js");
  figures.files = files.length;
  // Tests are also a resource of the product, with a source folder of this name.
  const forbidden =
    /\.test\.|\/(test|(?<!runs\/)tests|\.git|\.ci|node_modules|\.npm|\.cache|\.pnpm-store)\/|\.(map|ts|tsx)$|\/(\.npmrc|\.env|secrets\.json|tsconfig\.json|pnpm-lock\.yaml)$|\/(sh|bash|dash|busybox|apt|apt-get|dpkg|npm|npx|pnpm|corepack|wget|curl)$/;
  expect(files.filter(({ path }) => forbidden.test(path)).map(({ path }) => path)).toEqual([]);
  const isChangeable = ({ mode, owner, path }: { mode: string; owner: string; path: string }) =>
    !mode.startsWith("l") &&
    !/^\/((var\/)?tmp|home|proc|sys|dev|run|etc\/(hosts|hostname|resolv\.conf|mtab))/.test(path) &&
    (owner.startsWith("65532/") || mode[8] === "w");
  expect(files.filter(isChangeable)).toEqual([]);
  expect(files.filter(({ mode }) => /^-..[sS]|^-.....[sS]/.test(mode))).toEqual([]);
  const history = await engine.podman("history", "--no-trunc", "--format", "{{.CreatedBy}}", image);
  expect(history).not.toMatch(/npmrc|_authToken|password/i);
});

test("a wrong command and a missing setting are refused in a sentence", async () => {
  const refused = (...command: string[]) =>
    engine.attempt("run", "--rm", "--no-healthcheck", "--network", "none", "--read-only", image, ...command);
  expect(await refused("nothing")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Unknown command "nothing"'),
  });
  expect(await refused("migrate")).toMatchObject({ code: 2, stderr: "migrate requires OWNER_DATABASE_URL.\n" });
});

test("it serves the first request read-only and not as root, outlives kills, and stops in order", {
  timeout: 900_000,
}, async () => {
  for (const command of ["prepare", "migrate"]) {
    const { code, stderr } = await timed(command, mesh.job(command));
    expect(code, stderr).toBe(0);
  }
  const made = await mesh.job("bootstrap", "--json");
  expect(made.code, made.stderr).toBe(0);
  const { apiKey, applicationId } = JSON.parse(made.stdout);
  await timed("start of eight processes", mesh.start());

  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const topics = (init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${mesh.ports.gateway}/v0/topics`, { ...init, headers });
  const create = (title: string) => topics({ method: "POST", body: JSON.stringify({ title }) });
  const first = await create("From a container");
  expect(first.status).toBe(201);
  const { data } = (await first.json()) as { data: { id: string } };
  for (const page of ["/", "/docs", "/openapi.json"])
    expect((await fetch(`http://127.0.0.1:${mesh.ports.gateway}${page}`)).status).toBe(200);

  const memory: Record<string, string> = {};
  for (const name of processNames) {
    const facts = await mesh.kernelFacts(name);
    expect({ name, ...facts }).toMatchObject({ name, CapEff: "0000000000000000", NoNewPrivs: "1" });
    expect(facts.Uid?.split(/\s+/)).toEqual(["65532", "65532", "65532", "65532"]);
    memory[name] = `${Math.round(Number.parseInt(facts.VmRSS ?? "0", 10) / 1_024)} MiB`;
  }
  figures.memory = memory;

  for (const name of ["catalog", "identity", "gateway"] as const) {
    await mesh.kill(name);
    const whileGone = await create(`Without ${name}`).then(
      ({ status }) => status,
      () => "refused",
    );
    // Services cache identity's answers for a while.
    if (name !== "identity") expect(whileGone).toBe(name === "gateway" ? "refused" : 503);
    await timed(`${name} killed and restarted`, mesh.restart(name));
    await expect.poll(async () => (await create(`After ${name}`).catch(() => undefined))?.status).toBe(201);
  }
  expect(await (await topics()).text()).toContain(data.id);

  const stops = await Promise.all([...processNames].reverse().map((name) => mesh.stop(name)));
  figures.stops = Object.fromEntries(stops.map(({ name, ms }) => [name, `${(ms / 1_000).toFixed(1)} s`]));
  expect(stops.map(({ name, code }) => `${name} ${code}`)).toEqual(
    [...processNames].reverse().map((name) => `${name} 0`),
  );
  expect(Math.max(...stops.map(({ ms }) => ms))).toBeLessThan(stopMsMax);
});
