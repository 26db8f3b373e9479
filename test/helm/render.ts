// Renders the chart with the values of a test case.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type HelmResult, type HelmVersion, helm } from "@ems/release/helm";
import { parseAllDocuments } from "yaml";

export const chart = join(import.meta.dirname, "../../deploy/helm/ems");

/** Paths of values files: the test cases in this folder, and the chart's examples. */
export const valuesFiles = [join(import.meta.dirname, "cases"), join(chart, "examples")].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith("values.yaml") || folder.endsWith("cases"))
    .map((name) => join(folder, name)),
);

export const caseFile = (name: string) => join(import.meta.dirname, "cases", `${name}.yaml`);

/** A Kubernetes object of any kind. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly generation?: number;
  };
  // biome-ignore lint/suspicious/noExplicitAny: manifests of about thirty kinds, whose shape the tests check.
  readonly [field: string]: any;
}

/** Returns the output of `helm template` for the release prod. */
export function template(version: HelmVersion, file: string, ...args: string[]): Promise<string> {
  return renderTemplate("prod", version, file, ...args);
}

/** Test files of a worker share these, because many of them read the same renderings. */
const rendered = new Map<string, HelmResult>();

async function renderTemplate(release: string, version: HelmVersion, file: string, ...args: string[]): Promise<string> {
  const command = ["template", release, chart, "-n", "ems", "-f", file, ...args];
  const key = JSON.stringify([version, ...command]);
  const { ok, stdout, stderr } = await (rendered.get(key) ?? helm(version, ...command));
  if (!ok) throw new Error(stderr);
  rendered.set(key, { ok, stdout, stderr });
  return stdout;
}

export function manifests(file: string, ...args: string[]): Promise<Manifest[]> {
  return renderManifests("prod", file, ...args);
}

export async function renderManifests(release: string, file: string, ...args: string[]): Promise<Manifest[]> {
  const text = await renderTemplate(release, "4.1.4", file, ...args);
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

export function find(all: readonly Manifest[], kind: string, name: string): Manifest {
  const found = all.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

/** Lists the pods and pod templates of the objects. */
export function getPods(all: readonly Manifest[]): Manifest[] {
  return all.flatMap((manifest) => {
    if (manifest.kind === "Pod") return [manifest];
    const { template } = manifest.spec?.jobTemplate?.spec ?? manifest.spec ?? {};
    return template?.spec?.containers === undefined ? [] : [{ metadata: {}, ...template } as Manifest];
  });
}
