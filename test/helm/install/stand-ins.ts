// Stand-ins for `docker`, `kubectl` and `helm` on a machine without a cluster. They refuse what the Install page does
// not use. The image's commands run from the checkout, objects are files, and the real helm renders the chart.
//   node stand-ins.ts docker|kubectl|helm ARGUMENT…, with the objects in EMS_OBJECTS

import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { helm } from "@ems/release/helm";
import { parseAllDocuments } from "yaml";
import { getPods, type Manifest } from "../render.ts";
import { runContainers, type Secrets } from "./run-containers.ts";

const main = join(import.meta.dirname, "../../../deploy/main.ts");

/** Writes the stand-ins into a folder for PATH. */
export async function writeStandIns(folder: string, names = ["docker", "kubectl", "helm"]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const file = join(folder, name);
    await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${import.meta.filename}' ${name} "$@"\n`);
    await chmod(file, 0o755);
  }
}

/** Lists the objects that were created, including those of a release. */
export async function objectsIn(folder: string): Promise<Manifest[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
}

export function getSecrets(objects: readonly Manifest[]): Secrets {
  const secrets = objects.filter(({ kind }) => kind === "Secret");
  return Object.fromEntries(secrets.map(({ metadata, stringData }) => [metadata.name, stringData]));
}

const objects = process.env.EMS_OBJECTS ?? "";

async function create(manifest: Manifest, namespace: string): Promise<void> {
  const found = {
    ...manifest,
    metadata: { ...manifest.metadata, namespace: manifest.metadata.namespace ?? namespace },
  };
  const flag = manifest.metadata.annotations?.["helm.sh/hook"] === undefined ? "wx" : "w";
  await writeFile(join(objects, `${manifest.kind}.${manifest.metadata.name}.json`), JSON.stringify(found), { flag });
}

const getDocuments = (text: string) =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((each) => each !== null);

async function docker(args: readonly string[]): Promise<void> {
  const [run, remove, , ...command] = args;
  if (run !== "run" || remove !== "--rm") throw new Error(`docker ${args.join(" ")}`);
  process.exitCode = spawnSync(process.execPath, [main, ...command], { stdio: "inherit" }).status ?? 1;
}

async function kubectl(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      namespace: { type: "string", short: "n", default: "default" },
      filename: { type: "string", short: "f" },
      "from-literal": { type: "string", multiple: true, default: [] },
      output: { type: "string", short: "o" },
    },
  });
  const { namespace, filename, output, "from-literal": literals } = values;
  const [verb, kind, ...names] = positionals;
  const [name = ""] = names.slice(-1);
  if (verb === "create" && filename !== undefined)
    for (const each of getDocuments(await readFile(filename, "utf8"))) await create(each, namespace);
  else if (verb === "create" && kind === "namespace")
    await create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }, "");
  else if (verb === "create" && kind === "secret" && names[0] === "generic") {
    const stringData = Object.fromEntries(literals.map((each) => /^(.*?)=(.*)$/s.exec(each)?.slice(1) ?? []));
    await create({ apiVersion: "v1", kind: "Secret", metadata: { name }, stringData }, namespace);
  } else if (verb === "get" && kind === "secret") {
    const [, key = ""] = /^jsonpath=\{\.data\.(.+)\}$/.exec(output ?? "") ?? [];
    const text = getSecrets(await objectsIn(objects))[name]?.[key];
    if (text === undefined) throw new Error(`the Secret ${name} has no ${key}`);
    process.stdout.write(Buffer.from(text).toString("base64"));
  } else throw new Error(`kubectl ${args.join(" ")}`);
}

/** Stand-in for helm: `install` renders the chart and runs its Jobs; `test` only checks that a test pod exists. */
async function helmStandIn(args: readonly string[]): Promise<void> {
  const [verb = "", release = "", ...rest] = args;
  if (verb === "test") {
    const pods = (await objectsIn(objects)).filter(({ kind, metadata }) => kind === "Pod" && metadata.annotations);
    if (pods.every(({ metadata }) => metadata.annotations?.["helm.sh/hook"] !== "test"))
      throw new Error(`${release} has no test`);
    return;
  }
  if (verb !== "install") throw new Error(`helm ${args.join(" ")}`);
  const cwd = process.cwd();
  // The real helm runs in another folder, so it needs absolute paths.
  const absolute = rest
    .filter((each) => each !== "--wait")
    .map((each) => (/\/|\.yaml$/.test(each) ? join(cwd, each) : each));
  const { ok, stdout, stderr } = await helm("4.1.4", "template", release, ...absolute);
  if (!ok) throw new Error(stderr);
  const rendered = getDocuments(stdout);
  for (const each of rendered) await create(each, "");
  const secrets = getSecrets(await objectsIn(objects));
  for (const { spec } of getPods(rendered.filter(({ kind }) => kind === "Job")))
    process.stdout.write(await runContainers(spec as Manifest, secrets));
}

if (import.meta.main) {
  const [name = "", ...args] = process.argv.slice(2);
  const standIn = { docker, kubectl, helm: helmStandIn }[name];
  await standIn?.(args).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
