// Launcher of every script in package.json. It needs only the machine's Node (18 or later): it installs the product's
// packages if they have changed, and runs the task with the Node from those packages.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { hasComments } from "../proto/comments-inputs.mjs";

const tasks = {
  start: ["node", "deploy/dev/up.ts", "one"],
  mesh: ["node", "deploy/dev/up.ts", "mesh"],
  bootstrap: ["node", "deploy/dev/bootstrap.ts"],
  migrate: ["node", "deploy/dev/migrate.ts"],
  seed: ["node", "deploy/dev/seed.ts"],
  ems: ["node", "deploy/cli/main.ts"],
  test: ["vitest", "run", "--config", "test/vitest.config.ts"],
  nightly: ["node", "test/nightly/main.ts"],
  bench: ["node", "test/bench/main.ts"],
  simulate: ["node", "test/simulation/main.ts"],
  mutants: ["node", "test/mutants/main.ts"],
  screenshots: ["node", "test/console/screenshots.ts"],
  generate: ["node", "deploy/dev/generate.ts"],
  schema: ["node", "deploy/dev/schema/main.ts"],
  prices: ["node", "deploy/release/prices/main.ts"],
  release: ["node", "deploy/release/main.ts"],
  typecheck: ["tsc", "-b", "tsconfig.json", "gateway/console/tsconfig.json"],
  lint: ["biome", "check", "--error-on-warnings", "."],
  format: ["biome", "check", "--write", "."],
};
const pnpm = "pnpm@12.21.0";
const nodeMajorMin = 26;
const repeatMs = 500;
const lockAgeMaxMs = 15 * 60_000;

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const inModules = (...path) => join(root, "node_modules", ...path);
const stamp = inModules(".ems-installed");
const isInstalled = () => existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint();
const exitCode = (signal) => 128 + os.constants.signals[signal];
const print = (line) => process.stderr.write(`${line}\n`);
// Ignore errors of stderr, because a full disk or a closed pipe must not end a task.
process.stderr.on("error", () => {});

// While no child process runs, a signal ends this process.
let onSignal = (signal) => process.exit(exitCode(signal));
const signalledAt = new Map();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to npm and to this process, and npm forwards it, so ignore an immediate second signal.
    if (Date.now() - (signalledAt.get(signal) ?? 0) < repeatMs) return;
    signalledAt.set(signal, Date.now());
    onSignal(signal);
  });
}

const [name, ...args] = process.argv.slice(2);
if (name === "install") await installForNpm();
if (!Object.hasOwn(tasks, name ?? "")) {
  print(`${name ? `Unknown task "${name}".` : "A task is required."} One of: ${Object.keys(tasks).join(", ")}.`);
  process.exit(2);
}
if (!isInstalled()) await installOnce();
const written = hasComments() ? 0 : await runTask(["node", "proto/write-comments.ts"]);
process.exit(written || (await runTask([...tasks[name], ...args, ...(name === "test" ? selectProjects(args) : [])])));

// Returns the test projects that `npm test` runs by default. The gate and `npm run nightly` select the others.
function selectProjects(args) {
  if (args.some((arg) => arg.startsWith("--project"))) return [];
  return ["unit", "api", "mesh", "start"].flatMap((project) => ["--project", project]);
}

async function runTask(command) {
  const hasNode = existsSync(inModules(".bin", "node")) || Number.parseInt(process.versions.node, 10) >= nodeMajorMin;
  if (!hasNode) return cannotRun("the packages contain no Node for this platform");
  // Add the tools of the packages test and proto, which only these packages install.
  const bins = [".", "test", "proto"].map((folder) => join(root, folder, "node_modules", ".bin"));
  const path = [...bins, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { NODE_COMPILE_CACHE: inModules(".cache", "node-compile"), ...process.env, PATH: path };
  // The IPC channel transfers no messages: its 'disconnect' event informs the task that this process was killed.
  return run(command, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] }, (child) => child.pid);
}

// Runs a command in its own process group, so that a terminal's Ctrl-C reaches only this process, which forwards it.
function run([command, ...args], options, signalled) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, detached: true, ...options });
    onSignal = (signal) => process.kill(signalled(child), signal);
    child.on("error", (error) => done(cannotRun(error.message)));
    child.on("exit", (code, signal) => done(code ?? exitCode(signal)));
  });
}

function cannotRun(reason) {
  const here = `${process.platform} ${process.arch} with Node ${process.version}`;
  const where = "Linux x64 and arm64 (glibc) and macOS arm64";
  print(
    `The product cannot run here (${here}): ${reason}. It runs on ${where}, and elsewhere with Node ${nodeMajorMin} or later.`,
  );
  return 1;
}

// Handles `npm install` and `npm ci`. npm removes pnpm's links, which pnpm recreates only if its state file is deleted.
async function installForNpm() {
  // pnpm also runs this script. There is nothing to do then.
  if (process.env.npm_config_user_agent?.startsWith("pnpm/")) process.exit(0);
  for (const file of [stamp, inModules(".pnpm-workspace-state-v1.json")]) rmSync(file, { force: true });
  await installOnce();
  print("Next: `npm start`. It also installs changed packages.");
  process.exit(0);
}

async function install() {
  print(
    `Installing the product's packages (${existsSync(stamp) ? "they changed" : "first run: about half a minute"})…`,
  );
  const startedAt = Date.now();
  // Print installation errors even if npm is silent.
  const env = { ...process.env, npm_config_loglevel: "error" };
  const lockfile = existsSync(join(root, "pnpm-lock.yaml")) ? "--frozen-lockfile" : "--no-frozen-lockfile";
  const command = ["npx", "--yes", pnpm, "install", lockfile];
  // npx and its shell do not forward signals reliably, so signal the whole process group.
  const code = await run(command, { env, stdio: ["ignore", 2, 2] }, (child) => -child.pid);
  if (signalledAt.size > 0) process.exit(exitCode(...signalledAt.keys()));
  if (code !== 0) {
    print("The packages could not be installed; see the reason above. For network errors: the npm registry must be");
    print('reachable (proxy, "registry" in your own .npmrc). Then run the same command again.');
    process.exit(1);
  }
  linkCommandLine();
  writeFileSync(stamp, fingerprint());
  print(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

// Creates the link that `npx ems` needs in folders below the root. In the root, package.json defines it (`bin`).
function linkCommandLine() {
  const link = inModules(".bin", "ems");
  rmSync(link, { force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync("../../deploy/cli/ems.mjs", link);
}

// Installs under a lock: a directory with one file named after the owner's pid. Renaming onto a non-empty directory
// fails, so lock and content appear atomically. Removing a dead owner's file by name cannot affect a new owner.
async function installOnce() {
  const lock = inModules(".ems-installing");
  const draft = `${lock}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, `${process.pid}`), "");
  process.on("exit", () => {
    rmSync(draft, { recursive: true, force: true });
    rmSync(join(lock, `${process.pid}`), { force: true });
  });
  for (let reported = ""; tryAction(() => renameSync(draft, lock)); await sleep(100)) {
    const [owner] = readdirSync(lock);
    if (owner === undefined) continue;
    const isAlive = tryAction(() => process.kill(Number(owner), 0)) !== "ESRCH";
    // Let locks expire, because after a reboot another process may have the dead owner's pid.
    const since = statSync(join(lock, owner), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (!isAlive || Date.now() - since > lockAgeMaxMs) rmSync(join(lock, owner), { force: true });
    else if (reported !== owner) print(`Waiting for process ${owner} to install the packages (lock: ${lock})…`);
    reported = owner;
  }
  if (!isInstalled()) await install();
  rmSync(join(lock, `${process.pid}`), { force: true });
}

function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch} ${pnpm}`);
  const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  const globs = /^packages:\n((?: +- .+\n)+)/m.exec(workspace)[1].match(/[^\s"'-][^\s"']*/g);
  const manifests = globs.flatMap(listFolders).map((folder) => `${folder}/package.json`);
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ...manifests]) {
    if (existsSync(join(root, file))) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function listFolders(glob) {
  if (!glob.endsWith("/*")) return [glob];
  const entries = readdirSync(join(root, dirname(glob))).sort();
  return entries.map((entry) => join(dirname(glob), entry));
}

function tryAction(action) {
  try {
    action();
  } catch (error) {
    return error.code;
  }
}
